/**
 * What a line editor makes of the keys that reach a terminal: the lines that are submitted, as bash and zsh would have them.
 *
 * Keys whose effect depends on what is not known (completion, search, recall of lines from before) make the line uncertain.
 */

export interface SubmittedLine {
  readonly text: string
  readonly isUncertain: boolean
}

export interface EditorState {
  readonly line: string
  readonly cursor: number
  readonly isPasting: boolean
  readonly isUncertain: boolean
  readonly killed: string
  /** How far back in the history; 0 is the line being typed. */
  readonly back: number
}

export const emptyEditor: EditorState = {
  line: '',
  cursor: 0,
  isPasting: false,
  isUncertain: false,
  killed: '',
  back: 0,
}

export interface Assembled {
  readonly submitted: readonly SubmittedLine[]
  readonly editor: EditorState
}

export function assembleLines(input: string, editor: EditorState, history: readonly string[]): Assembled {
  // What most calls type: one line and Enter, where nothing stands yet.
  if (editor.line === '' && !editor.isPasting && !editor.isUncertain && oneLine.test(input))
    return {
      submitted: [{ text: input.slice(0, -1), isUncertain: false }],
      editor: { ...emptyEditor, killed: editor.killed },
    }
  const assembler = new Assembler(editor, history)
  for (const unit of unitsOf(input)) assembler.take(unit)
  return { submitted: assembler.submitted, editor: assembler.editor }
}

const oneLine = /^[^\0-\x1f\x7f-\x9f]*\r$/

const units =
  /\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|\x1b[^[O]?|\x18.?|\x16.?|\r\n|[\0-\x17\x19-\x1f\x7f\x80-\x9f]|[^\0-\x1f\x7f\x80-\x9f]+/gs

function unitsOf(input: string): readonly string[] {
  return input.match(units) ?? []
}

/** Keys by what they do; what is not in here and not text makes the line uncertain. */
const keys: Readonly<Record<string, string>> = {
  '\x01': 'home',
  '\x1b[H': 'home',
  '\x1b[1~': 'home',
  '\x1bOH': 'home',
  '\x1b[7~': 'home',
  '\x05': 'end',
  '\x1b[F': 'end',
  '\x1b[4~': 'end',
  '\x1bOF': 'end',
  '\x1b[8~': 'end',
  '\x02': 'left',
  '\x1b[D': 'left',
  '\x1bOD': 'left',
  '\x06': 'right',
  '\x1b[C': 'right',
  '\x1bOC': 'right',
  '\x1bb': 'wordLeft',
  '\x1b[1;5D': 'wordLeft',
  '\x1bf': 'wordRight',
  '\x1b[1;5C': 'wordRight',
  '\x08': 'erase',
  '\x7f': 'erase',
  '\x04': 'delete',
  '\x1b[3~': 'delete',
  '\x15': 'killLine',
  '\x0b': 'killRest',
  '\x17': 'killWord',
  '\x1b\x7f': 'killWord',
  '\x1b\x08': 'killWord',
  '\x1bd': 'killWordRight',
  '\x19': 'yank',
  '\x10': 'previous',
  '\x1b[A': 'previous',
  '\x1bOA': 'previous',
  '\x0e': 'next',
  '\x1b[B': 'next',
  '\x1bOB': 'next',
  '\x03': 'cancel',
  '\x07': 'nothing',
  '\x0c': 'nothing',
  '\0': 'nothing',
  '\x1b[I': 'nothing',
  '\x1b[O': 'nothing',
  '\x11': 'nothing',
  '\x13': 'nothing',
  '\x1b[200~': 'paste',
  '\x1b[201~': 'pasted',
  '\r': 'enter',
  '\n': 'enter',
  '\r\n': 'enter',
  '\x0f': 'enter',
  '\x14': 'transpose',
}

class Assembler {
  editor: EditorState
  readonly submitted: SubmittedLine[] = []
  readonly #history: string[]

  constructor(editor: EditorState, history: readonly string[]) {
    this.editor = editor
    this.#history = [...history]
  }

  take(unit: string): void {
    const key = Object.hasOwn(keys, unit) ? keys[unit] : undefined
    if (this.editor.isPasting && key !== 'pasted') this.#insert(unit.replace(/\r\n?/g, '\n'))
    else if (key !== undefined) this.#press(key)
    else this.#takeOther(unit)
  }

  /** Text, or a key that is not in the table. */
  #takeOther(unit: string): void {
    if (/^[^\0-\x1f\x7f]/.test(unit)) this.#insert(unit)
    else if (unit.startsWith('\x16') && unit.length > 1) this.#insert(unit.slice(1))
    else {
      // Completion, search, an editor: nobody knows what comes of it.
      if (unit === '\t') this.#insert(' ')
      this.#set({ isUncertain: true })
    }
  }

  #set(change: Partial<EditorState>): void {
    this.editor = { ...this.editor, ...change }
  }

  #insert(text: string): void {
    const { line, cursor } = this.editor
    this.#set({ line: line.slice(0, cursor) + text + line.slice(cursor), cursor: cursor + text.length })
  }

  #press(key: string): void {
    const { line, cursor, killed } = this.editor
    const [before, after] = [line.slice(0, cursor), line.slice(cursor)]
    if (key === 'home') this.#set({ cursor: 0 })
    else if (key === 'end') this.#set({ cursor: line.length })
    else if (key === 'left') this.#set({ cursor: Math.max(0, cursor - 1) })
    else if (key === 'right') this.#set({ cursor: Math.min(line.length, cursor + 1) })
    else if (key === 'wordLeft') this.#set({ cursor: before.replace(/[\p{L}\p{N}_]+[^\p{L}\p{N}_]*$/u, '').length })
    else if (key === 'wordRight')
      this.#set({ cursor: line.length - after.replace(/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u, '').length })
    else if (key === 'erase') this.#set({ line: before.slice(0, -1) + after, cursor: Math.max(0, cursor - 1) })
    else if (key === 'delete') this.#set({ line: before + after.slice(1) })
    else if (key === 'killLine') this.#set({ line: after, cursor: 0, killed: before })
    else if (key === 'killRest') this.#set({ line: before, killed: after })
    else if (key === 'killWord') this.#killTo(trimmedEnd(before))
    else if (key === 'killWordRight') this.#set({ line: before + after.replace(/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u, '') })
    else if (key === 'yank') this.#insert(killed)
    else if (key === 'previous' || key === 'next') this.#recall(key === 'previous' ? 1 : -1)
    else if (key === 'cancel') this.#set({ ...emptyEditor })
    else if (key === 'paste' || key === 'pasted') this.#set({ isPasting: key === 'paste' })
    else if (key === 'transpose') this.#transpose()
    else if (key === 'enter') this.#submit()
  }

  #killTo(rest: string): void {
    const { line, cursor } = this.editor
    this.#set({ line: rest + line.slice(cursor), cursor: rest.length, killed: line.slice(rest.length, cursor) })
  }

  #transpose(): void {
    const { line, cursor } = this.editor
    const at = Math.min(Math.max(cursor, 1), line.length - 1)
    if (at < 1) return
    this.#set({
      line: line.slice(0, at - 1) + (line[at] ?? '') + (line[at - 1] ?? '') + line.slice(at + 1),
      cursor: at + 1,
    })
  }

  #recall(step: 1 | -1): void {
    const back = Math.max(0, this.editor.back + step)
    const line = back === 0 ? '' : this.#history.at(-back)
    this.#set({ back, line: line ?? '', cursor: line?.length ?? 0, isUncertain: line === undefined })
  }

  #submit(): void {
    const { line, isUncertain } = this.editor
    this.submitted.push({ text: line, isUncertain })
    if (line.trim() !== '') this.#history.push(line)
    this.editor = { ...emptyEditor, killed: this.editor.killed }
  }
}

/** Without its last word: everything up to the blank before it. */
function trimmedEnd(text: string): string {
  let end = text.length
  while (end > 0 && /\s/.test(text[end - 1] ?? '')) end--
  while (end > 0 && !/\s/.test(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}
