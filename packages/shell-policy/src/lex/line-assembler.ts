/** History expansion: `!!` and its kin are replaced where the lines before are known. */

interface ExpandedHistory {
  readonly text: string
  /** The line recalls an unknown line, or a part of one. */
  readonly isUnknown: boolean
}

/** Chooses words of a line, or changes it. */
const designator = /^(?::|[$^*%-])/
/** An exclamation mark before one of these, or at the end, refers to nothing. */
const noEvent = /^!(?:[\s=(;&|<>)"'\]]|$)/
const event = /^!(!|\$|-\d+|[A-Za-z][\w-]{0,50})/

export function expandHistory(text: string, history: readonly string[]): ExpandedHistory {
  if (!text.includes('!')) return { text, isUnknown: false }
  let result = ''
  let isUnknown = false
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const previous = text[at - 1] ?? ''
    // A here-document is read line by line too, but what it holds is data, and its lines are no commands.
    if (character === '\n' && text.includes('<<')) return { text: result + text.slice(at), isUnknown }
    if (character === '\\' && quote !== "'") {
      result += character + (text[++at] ?? '')
      continue
    }
    if ((character === "'" && quote !== '"') || (character === '"' && quote !== "'"))
      quote = quote === '' ? character : ''
    if (character !== '!' || quote === "'" || /[${[(]/.test(previous) || noEvent.test(text.slice(at, at + 2))) {
      result += character
      continue
    }
    const [whole = '', which = ''] = event.exec(text.slice(at, at + 120)) ?? ['!']
    const recalled = which === '' ? null : recall(which, history)
    isUnknown ||= recalled === null || designator.test(text.slice(at + whole.length))
    result += recalled ?? whole
    at += whole.length - 1
  }
  return { text: result, isUnknown }
}

function recall(which: string, history: readonly string[]): string | null {
  const last = history.at(-1)
  if (which === '!') return last ?? null
  if (/^-\d+$/.test(which)) return history.at(Number(which)) ?? null
  if (which === '$') return last?.trim().split(/\s+/).at(-1) ?? null
  return history.findLast((line) => line.startsWith(which)) ?? null
}

/** Follows the keys that all shells treat alike: plain typing, Backspace over ASCII, Enter and ctrl+c. After others the line is unknown. */
export type LineEvent = {
  /** The start and the end of its key in the input. */
  readonly from: number
  readonly to: number
} & (
  | { readonly kind: 'entered'; readonly text: string; readonly isUncertain: boolean }
  /** A key that may run the line, or a part of it. */
  | { readonly kind: 'acted'; readonly text: string; readonly isUncertain: boolean }
  /** ctrl+d on an empty line: it ends an unfinished command. */
  | { readonly kind: 'ended' }
  /** ctrl+c: the line is gone, and the lines before it that were not finished. */
  | { readonly kind: 'dropped' }
)

export interface EditorState {
  readonly line: string
  readonly isPasting: boolean
  readonly isUncertain: boolean
}

export const emptyEditor: EditorState = { line: '', isPasting: false, isUncertain: false }

interface Assembled {
  readonly events: readonly LineEvent[]
  readonly editor: EditorState
}

export function assembleLines(input: string, before: EditorState): Assembled {
  // The most common input of a call: one line and Enter, at an empty prompt.
  if (before.line === '' && !before.isPasting && !before.isUncertain && oneLine.test(input)) {
    const text = input.slice(0, -1)
    const from = input.length - 1
    const to = input.length
    return { events: [{ kind: 'entered', text, isUncertain: false, from, to }], editor: emptyEditor }
  }
  const events: LineEvent[] = []
  let editor = before
  for (const { 0: unit, index: from } of input.matchAll(units)) {
    const to = from + unit.length
    const { line, isPasting, isUncertain } = editor
    if (unit === '\x1b[200~' || unit === '\x1b[201~') editor = { ...editor, isPasting: unit === '\x1b[200~' }
    else if (isPasting) editor = pasted(editor, unit)
    else if (plain.test(unit)) editor = { ...editor, line: line + unit }
    else if (unit === '\x7f' || unit === '\b') editor = erased(editor)
    else if (/^[\r\n]/.test(unit)) {
      events.push({ kind: 'entered', text: line, isUncertain, from, to })
      editor = emptyEditor
    } else if (unit === '\x03') {
      events.push({ kind: 'dropped', from, to })
      editor = emptyEditor
    } else if (unit === '\x04' && line === '' && !isUncertain) events.push({ kind: 'ended', from, to })
    else {
      if (!moves.test(unit) && (isUncertain || mayRun(unit, line)))
        events.push({ kind: 'acted', text: line, isUncertain, from, to })
      editor = { ...editor, isUncertain: true }
    }
  }
  return { events, editor }
}

const oneLine = /^[^\0-\x1f\x7f-\x9f]*\r$/
const plain = /^[^\0-\x1f\x7f-\x9f]/

const units =
  /\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|\x1b[^[O]?|\x18.?|\x16.?|\r\n|[\0-\x17\x19-\x1f\x7f\x80-\x9f]|[^\0-\x1f\x7f\x80-\x9f]+/gs

/**
 * Keys that move, remove, put back and recall, and a quoted tab: none of them runs anything. ctrl+d is not included: in vi mode, and without
 * a line editor, it submits the line.
 */
const moves =
  /^(?:\x16\t|[\x01\x02\x05\x06\x0b\x0c\x0e\x10\x15\x17\x19\x1f]|\x1b[bdfy\x7f\b]|\x1b(?:\[|O)(?:[1-8](?:;\d)?~|[A-DFH]|1;\d[A-D]))$/

/** Completion runs the substitutions of a line, and nothing else. */
export function mayRun(key: string, line: string): boolean {
  return key !== '\t' || /[`(]/.test(line)
}

/** A line editor takes the text of a paste unchanged. How it treats control characters differs between editors. */
function pasted(editor: EditorState, unit: string): EditorState {
  const isUncertain = editor.isUncertain || /[^\P{Cc}\r\n\t]/u.test(unit)
  return { ...editor, line: editor.line + unit.replace(/\r\n?/g, '\n'), isUncertain }
}

/** The part of a character beyond ASCII that one Backspace removes differs between shells. */
function erased(editor: EditorState): EditorState {
  if (editor.line === '') return editor
  const isKnown = /[\0-\x7f]$/.test(editor.line)
  return isKnown ? { ...editor, line: editor.line.slice(0, -1) } : { ...editor, isUncertain: true }
}
