/**
 * The line the cursor is on, read from the last output: enough wherever nothing was drawn across lines, and no screen
 * is needed for it. Programs that move the cursor up, down or to a position are drawing; for them a screen is needed.
 */

import { columnsMax, type Offset } from '@agentpty/protocol'
import type { OutputLog } from '../log/output-log.ts'

export interface CursorLine {
  readonly before: string
  /** The whole line, with what is behind the cursor. */
  readonly line: string
  /** The line was drawn by moving about, so `before` is a guess. */
  readonly drawn: boolean
}

const tailBytes = 1_024
const lineFeed = 0x0a
const controls = /[\x00-\x1f\x7f]/
/** Sequences that do not move the cursor: titles, marks, colours, modes of keys and pastes, the cursor's look. */
const silent = /\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b\[(?:[\d;:]*m|\?(?:1|25|2004)[hl])|\x1b[=>]/g
const decoder = new TextDecoder()

const sequences = /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g

// One step of a terminal: an OSC, DCS or the like; a CSI; another escape; one other character.
const steps = /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|$)|\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[ -/]*[0-~]|[\s\S]/gu

export function cursorLine(log: OutputLog): CursorLine {
  const { bytes } = log.read({ since: Math.max(log.start, log.end - tailBytes), until: log.end })
  const text = decoder.decode(bytes.subarray(bytes.lastIndexOf(lineFeed) + 1))
  const plain = text.replace(silent, '')
  if (!controls.test(plain)) return { before: plain, line: plain, drawn: false }
  const line = new LineModel()
  for (const [step, parameters, final] of text.matchAll(steps)) {
    if (final !== undefined) line.control(final, parameters ?? '')
    else if (step.length === 1 || step.codePointAt(0) !== 0x1b) line.put(step)
  }
  return { before: line.before, line: line.all, drawn: line.drawn }
}

/** The last two whole lines since the offset, the last one first, without escape sequences; empty when there is none. */
export function linesAbove(log: OutputLog, since: Offset): readonly [string, string] {
  const { bytes } = log.read({ since: Math.max(log.start, since, log.end - tailBytes), until: log.end })
  const lines = decoder.decode(bytes).replace(sequences, '').replaceAll('\r', '').split('\n')
  return [lines.at(-2) ?? '', lines.at(-3) ?? '']
}

/** The text of the last line with any, of programs that draw line by line; empty when there is none. */
export function lastLine(log: OutputLog): string {
  const { bytes } = log.read({ since: Math.max(log.start, log.end - tailBytes), until: log.end })
  const lines = decoder
    .decode(bytes)
    .replace(sequences, '')
    .split(/[\r\n]+/)
  return lines.findLast((line) => line.trim() !== '')?.trimEnd() ?? ''
}

/** One row and the cursor in it; after a line feed a fresh row begins, whatever was drawn above. */
class LineModel {
  drawn = false
  #cells: string[] = []
  #col = 0

  get before(): string {
    return this.#text(this.#col)
  }

  get all(): string {
    return this.#text(this.#cells.length)
  }

  put(character: string): void {
    if (character === '\r') this.#col = 0
    else if (character === '\b') this.#col = Math.max(0, this.#col - 1)
    else if (character >= ' ' && character !== '\x7f') {
      while (this.#cells.length < this.#col) this.#cells.push(' ')
      this.#cells[this.#col++] = character
    }
  }

  control(final: string, parameters: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1)
    if (final === 'C') this.#col = Math.min(this.#col + count, columnsMax)
    else if (final === 'D') this.#col = Math.max(0, this.#col - count)
    else if (final === 'G') this.#col = Math.min(count - 1, columnsMax)
    else if (final === 'K' || final === 'J') this.#erase(parameters)
    else if (final === 'P') this.#cells.splice(this.#col, count)
    else if ('ABEFHdf'.includes(final)) this.drawn = true
  }

  #text(end: number): string {
    return this.#cells
      .slice(0, end)
      .map((cell) => cell ?? ' ')
      .join('')
  }

  #erase(parameters: string): void {
    if (parameters === '' || parameters === '0') this.#cells.length = Math.min(this.#cells.length, this.#col)
    else if (parameters === '1') this.#cells.fill(' ', 0, this.#col + 1)
    else if (parameters === '2') this.#cells = []
    if (this.#cells.length > 4_096) this.#cells = []
  }
}

/**
 * The shape of the text before the cursor. It never shows whether a program waits, only what for; and where the kernel
 * hides who waits, how likely it is that something was asked.
 */
export type PromptShape = 'shell' | 'interpreter' | 'question' | 'pager' | 'text' | 'empty'

/** `$ `, `root@host:~# `, `% `: what shells end their prompts with. */
const shell = /(?:^|\S)\s?[$#] ?$|\S% $|^(?:\S{0,60} )?➜ ?$/u
/** `>>> `, `(gdb) `, `main[1] `, `i1 : `, `sqlite> `, `ghci> `, `irb(main):001> `, `In [1]: `, `... `, `=> `, `Command (m for help): `. */
const interpreter = new RegExp(
  [
    String.raw`^[\w.*:/@[\]()|~#;%!'"\x60 -]{0,60}?(?:[>›❯»⟩]+ ?|% |\?- ?)$`,
    String.raw`^\([\w.:/*%+-]{1,40}\) ?$`,
    String.raw`^\s*\.{2,}[>:] ?$`,
    '^\\.{3} ?$',
    String.raw`^[a-z]{1,3}\d+ ?: $`,
    String.raw`^(?:In|Out) ?\[\d+\]: ?$`,
    String.raw`^\s*DB<+\d+>+ ?$`,
    String.raw`^\d+\] ?$`,
    String.raw`^\w[\w.-]{0,30}\[\d+\] $`,
    String.raw`^[&*?\]:] ?$`,
    '^[=-]+> ?$',
    String.raw`^\w{1,20}\(\d+\): ?$`,
    String.raw`^(?:Expert )?[Cc]ommand\b.*: ?$`,
  ].join('|'),
  'u',
)
const pager = /^:$|\(END\)$|--More--|^lines? \d|^Manual page |^ESC$|press h for help/u
const question = /[?:\]>)] ?$|\b(?:y\/n|yes\/no)\b/iu

/** `admin@edge1:~$ `, `/ # `, `bash-5.2$ `: a shell's prompt, whichever program shows it. */
export function isPlainlyShell(before: string): boolean {
  return plainShell.test(before.trimStart())
}

const plainShell = /^(?:\[?[\w.-]+@[\w.-]+(?:[: ]\S*)?\]?|(?:ba|z|k|da|a)?sh-\d[\d.]*|[~/]\S*) ?[$#%] ?$/

/** `postgres=# `, `shop-# `, `shop(# `: a database's prompt, with the last character of a shell's. */
const database = /^[\w.]+[=('"*^!-][#>] $/u

const endsWork = /\bto (?:abort|cancel|interrupt|stop)\b[).\]]*\s*$/i

/** `(interrupt to abort)`, `(esc to cancel)`: a program that says how to end the work is at work. */
export function saysHowToEnd(line: string): boolean {
  return endsWork.test(line)
}

export function promptShape(before: string): PromptShape {
  const text = before.trimStart()
  if (text.trim() === '') return 'empty'
  if (saysHowToEnd(text)) return 'text'
  if (pager.test(text)) return 'pager'
  if (!database.test(text) && shell.test(text)) return 'shell'
  if (database.test(text) || interpreter.test(text)) return 'interpreter'
  return question.test(text) || asksWithMark(text) || offersChoices(text) ? 'question' : 'text'
}

const secret =
  /\b(?:pass(?:word|phrase|code)|p(?:in|uk)(?: code)?|cv[cv]2?|secret|token|(?:un)?lock code|(?:access|auth\w*|security|verification) code|(?:access|api|encryption|master|private|vault) key)\b[^\n]{0,40}$/i

/** Line editors of their own draw a password as nothing, or as stars. */
export function asksForSecret(before: string): boolean {
  return secret.test(before) && !/^[^:]*\b(?:user(?:name)?|login)\b[^:]*:/i.test(before)
}

/** `Retype: `, `Confirm: `: the same text once more. */
export function asksOnceMore(before: string): boolean {
  return /^\W*(?:re-?(?:type|enter|peat)|again|confirm|verify|once more)\b[^\n]{0,40}$/i.test(before)
}

/** `Code: ***`: a line editor of its own that hides what is typed. */
export function showsStars(before: string): boolean {
  return /[:?>›] ?[*•●]+$/u.test(before)
}

/** `Your name › `, `? Your name … `: a mark behind words, as prompt libraries draw open questions, and the text typed there. */
export function asksWithMark(before: string): boolean {
  return /^[^›‣]*[\w?)] [›‣](?: [^›‣]*)?$|^\s*\? [^›‣…]*\S …(?: [^…]*)?$/u.test(before)
}

/** `Use a theme? › No / Yes`: one of several is chosen with keys. */
export function offersChoices(before: string): boolean {
  return /^[^›‣]*[\w?)] [›‣] [^›‣]*\S \/ \S/u.test(before)
}

/** `> `, `for> `, `cmdand dquote> `: what shells ask with for the rest of a command. */
export function isSecondPrompt(before: string): boolean {
  return secondPrompt.test(before)
}

/** `... `, `   ...: `, `    -> `, `shop(# `, `irb(main):002* `: what interpreters ask with for the rest of a statement. */
export function isStatementPrompt(before: string): boolean {
  return statementPrompt.test(before)
}

const statementPrompt = new RegExp(
  [
    String.raw`^\s*\.{3}[>:]? *$`, // Python, IPython, Node, SQLite
    String.raw`^ *(?:[-'"\x60]|/\*)> *$`, // MySQL
    String.raw`^[\w.]+[-('"$*][#>] *$`, // PostgreSQL
    String.raw`^irb\(.{1,40}\):\d+(?::\d+)?[*"'\x60] *$`,
    String.raw`^(?:ghci)?\| *$`, // GHCi, Node 22 and later
    String.raw`^\+ *$`, // R
  ].join('|'),
)

const zshWords =
  'always|array|bquote|braceparam|case|cmdand|cmdor|cmdsubst|cond|cursh|do|dquote|elif|else|errquote|for|foreach|function|heredocd?|if|math|mathsubst|pipe|quote|repeat|select|subsh|then|until|while'
const secondPrompt = new RegExp(`^(?:(?:${zshWords}) ?)*> ?$`)

/** A question that one key answers. */
export function asksForKey(before: string): boolean {
  return /\b(?:y\/n|yes\/no|any key|press)\b|\[[a-z](?:[/|,]?[a-z])+\]|\([a-z](?:[/|,][a-z])+\)/i.test(before)
}

/** A line that ends in `?`, `[y/N]` or `(yes/no):`, or says what to press: the program may ask and go to the next line. */
export function isWholeQuestion(line: string): boolean {
  if (saysHowToEnd(line)) return false
  return /(?:\?|[[(]y(?:es)?\/no?[\])]:?)\s*$|\bpress [^\n]{1,60}$/i.test(line) || isMarkedQuestion(line)
}

/** `? Write a description:`, as prompt libraries ask: the answer may stand below it, and below a hint. */
export function isMarkedQuestion(line: string): boolean {
  return /^\s{0,4}\? \S[^\n]*[\])?:]\s*$/.test(line)
}

const anyKeyAsked = /\b(?:press (?:any|a|another)|any|another) key\b[^\n]{0,30}$/i

/** "Press any key": no line will be read there, whatever the program waits with. */
export function asksForAnyKey(before: string): boolean {
  return anyKeyAsked.test(before)
}

const keyInTime = /\b(?:any key|(?:press|hit|strike|push|tap) \S+)\b[^\n]{0,60}?\b\d{1,3} ?(?:s|sec\w*)?\W*$/i

/** `Hit any key to stop: 9`: a key may be pressed until the time is over. */
export function asksForKeyInTime(before: string): boolean {
  return keyInTime.test(before)
}

const keyForEach = /\b(?:press|hit|type|use) \S{1,7} to \w[^\n]*$/i

const keyList =
  /[[(][a-z?]{2,20}(?:\.{3})?[\])],? (?:or )?\? for \w[^\n]{0,20}[:?] ?$|\[yn[a-z?]{2,20}(?:\.{3})?\][:?]? ?$/i

/** `[yNrq], or ? for help: `: letters that each do something. A line editor takes words. */
export function listsKeys(before: string): boolean {
  return keyList.test(before)
}

/** `Name of the site: my-site`, `Theme [light]: `: a question at the beginning of its line, and the text typed there. */
export function asksWithLabel(before: string): boolean {
  return /^\s{0,4}\p{L}[^\n:?│┃|]{0,80}[\p{L}\d)\]][:?](?: [^\n:?│┃|]*)?$/u.test(before)
}

const keyAsked =
  /(?:\by\/n|\bany key|\bpress (?:enter|return|space)\b.*|[[(]\w(?:[/|,][\w^*]+)+|[[(]yn\w*)(?:\b.{0,12}continue)?[\s:?.…)\]]*$/i

/** `Really quit? `, `[Y]es, (N)o: `, `([yes]/no): ` */
const confirmation =
  /(?:\breally\b[^\n?]{0,40}|\bquit|\bsure|\bsave (?:changes|changed|modified)\b[^\n?]{0,30})\? ?$|[[(]y(?:es)?[\])](?:es)?[,/] ?[[(]?n[\])]?o?\)?\s?: ?$/i

/** `press a to rerun, q to quit`: what each key does. */
export function namesKeys(line: string): boolean {
  return keyForEach.test(line)
}

/** `press h + enter to show help`: a command that may be typed at any time. */
export function namesCommand(line: string): boolean {
  return /\bpress \S{1,7} \+ (?:enter|return)\b/i.test(line)
}

/** The last words before the cursor ask for one key: the program reads nothing else there. */
export function endsAskingForKey(before: string): boolean {
  return keyAsked.test(before) || confirmation.test(before) || anyKeyAsked.test(before)
}

/** `--More--` is certain; a bare colon may be an editor's. */
export function isPlainlyPager(before: string): boolean {
  return /\(END\)|--More--|^Manual page |^lines? \d/.test(before.trimStart())
}

/** Returns the part that all prompts of a program share: the same for `In [1]: ` and `In [2]: `; another for an unfinished `In [1]:`. */
export function promptOf(before: string): string {
  return before.trim() === '' ? '' : before.replaceAll(/\d+/g, '0')
}
