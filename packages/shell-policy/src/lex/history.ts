/** History expansion: `!!` and its kin are replaced where the lines before are known. */

export interface ExpandedHistory {
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
