/**
 * Reads a line of cmd into commands: carets, quotes, separators, brackets. Whether a command runs only under a condition does not matter
 * here: each may run.
 */

export interface PromptWord {
  readonly text: string
  /** With its quotes. */
  readonly raw: string
  readonly isQuoted: boolean
}

export interface PromptCommand {
  readonly words: readonly PromptWord[]
  /** All of it behind its first word, as `echo` shows it. */
  readonly rest: string
  /** Files that it writes to, and the one that it reads; null for none. */
  readonly outputs: readonly string[]
  readonly input: string | null
  /** What it puts out goes into the next one. */
  readonly isPiped: boolean
}

/** Null for what is not finished: a quote is none, a bracket is. */
export function readCommands(text: string): readonly PromptCommand[] | null {
  const reader = new PromptReader(text)
  return reader.read()
}

const _separating = /^@?(rd|rmdir|del|erase|copy|xcopy|move|ren|rename|dir|cd|chdir|md|mkdir|type|pushd|call|start)\b/i

const separating = /^@?(rd|rmdir|del|erase|copy|xcopy|move|ren|rename|dir|cd|chdir|md|mkdir|type|pushd|call|start)\b/i

class PromptReader {
  readonly #text: string
  readonly #commands: PromptCommand[] = []
  #at = 0
  #depth = 0
  /** Brackets that are part of a command, as around the set of a loop. */
  #plain = 0
  #words: PromptWord[] = []
  #word = ''
  #raw = ''
  #isQuoted = false
  #restFrom = -1
  #rest = ''
  #outputs: string[] = []
  #input: string | null = null
  #target: 'output' | 'input' | null = null

  constructor(text: string) {
    this.#text = text
  }

  read(): readonly PromptCommand[] | null {
    while (this.#at < this.#text.length) this.#step()
    this.#endCommand(false)
    return this.#depth === 0 ? this.#commands : null
  }

  #step(): void {
    const character = this.#text[this.#at] ?? ''
    const next = this.#text[this.#at + 1] ?? ''
    if (character === '^') {
      // What follows is itself; at the end of a line the line goes on.
      if (next === '\n') this.#endWord()
      else this.#take(next)
      this.#at += 2
      return
    }
    this.#at++
    if (character === '"') this.#quoted()
    else if (character === '&' || character === '\n' || character === '|') {
      const isDouble = next === character
      if (isDouble) this.#at++
      this.#endCommand(character === '|' && !isDouble)
    } else if (character === '(' && this.#isAtStart()) this.#depth++
    else if (character === '(') this.#bracket(1, character)
    else if (character === ')' && this.#plain > 0) this.#bracket(-1, character)
    else if (character === ')' && this.#depth > 0) {
      this.#depth--
      this.#endCommand(false)
    } else if (character === '<' || character === '>') this.#redirect(character)
    else if (this.#isSeparator(character)) {
      this.#endWord()
      this.#rest += this.#restFrom < 0 ? '' : character
    } else this.#take(character)
  }

  /** `,`, `;` and `=` part words of the commands that cmd has itself. */
  #isSeparator(character: string): boolean {
    if (character === ' ' || character === '\t') return true
    if (!/[,;=]/.test(character)) return false
    const [first] = this.#words
    return first === undefined ? !/^@?\w+[\\/:]/.test(this.#word) : separating.test(first.text)
  }

  #isAtStart(): boolean {
    return this.#word === '' && (this.#words.length === 0 || startsCommand(this.#words))
  }

  #take(character: string): void {
    this.#word += character
    this.#raw += character
    if (this.#words.length > 0) {
      this.#restFrom = 0
      this.#rest += character
    }
  }

  #bracket(by: number, character: string): void {
    this.#plain += by
    this.#take(character)
  }

  #quoted(): void {
    const end = this.#text.indexOf('"', this.#at)
    const line = this.#text.indexOf('\n', this.#at)
    // Without a second one it goes to the end of the line.
    const to = end < 0 || (line >= 0 && line < end) ? (line < 0 ? this.#text.length : line) : end
    const inner = this.#text.slice(this.#at, to)
    this.#isQuoted = true
    this.#word += inner
    this.#raw += `"${inner}"`
    if (this.#words.length > 0) {
      this.#restFrom = 0
      this.#rest += `"${inner}"`
    }
    this.#at = to === end ? to + 1 : to
  }

  #redirect(character: string): void {
    // `2>` and `2>&1`
    if (/^\d$/.test(this.#word)) {
      this.#word = ''
      this.#raw = ''
      this.#rest = this.#rest.slice(0, -1)
    }
    this.#endWord()
    if (this.#text[this.#at] === character) this.#at++
    const copied = /^&\d/.exec(this.#text.slice(this.#at, this.#at + 2))
    if (copied !== null) {
      this.#at += 2
      return
    }
    while (/[ \t]/.test(this.#text[this.#at] ?? '')) this.#at++
    this.#target = character === '>' ? 'output' : 'input'
  }

  #endWord(): void {
    if (this.#word === '' && !this.#isQuoted) return
    if (this.#target === 'output') this.#outputs.push(this.#word)
    else if (this.#target === 'input') this.#input = this.#word
    else this.#words.push({ text: this.#word, raw: this.#raw, isQuoted: this.#isQuoted })
    this.#target = null
    this.#word = ''
    this.#raw = ''
    this.#isQuoted = false
  }

  #endCommand(isPiped: boolean): void {
    this.#endWord()
    if (this.#words.length > 0 || this.#outputs.length > 0)
      this.#commands.push({
        words: this.#words,
        rest: this.#rest,
        outputs: this.#outputs,
        input: this.#input,
        isPiped,
      })
    this.#words = []
    this.#plain = 0
    this.#rest = ''
    this.#restFrom = -1
    this.#outputs = []
    this.#input = null
    this.#target = null
  }
}

/** Whether a bracket behind these words begins a block: `if exist x (`, `do (`, `else (`. */
function startsCommand(words: readonly PromptWord[]): boolean {
  const [first, last] = [words[0], words.at(-1)].map((word) => word?.text.toLowerCase().replace(/^@/, ''))
  if (last === 'do' || last === 'else') return true
  return first === 'if' && conditionLength(words) === words.length
}

/** How many words the condition of an `if` has, itself included. */
export function conditionLength(words: readonly PromptWord[], from = 0): number {
  const raw = (at: number) => words[from + at]?.raw.toLowerCase() ?? ''
  let at = 1
  while (/^(\/i|not)$/.test(raw(at))) at++
  const [word, next] = [raw(at), raw(at + 1)]
  if (/^(exist|defined|errorlevel|cmdextversion)$/.test(word)) return at + 2
  if (/==./.test(word) && !word.endsWith('==')) return at + 1
  if (word.endsWith('==') || next.startsWith('==')) return at + (next === '==' ? 3 : 2)
  return /^(equ|neq|lss|leq|gtr|geq)$/.test(next) ? at + 3 : at + 1
}
