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

/** A line that ends in `?`, `[y/N]` or `(yes/no):`, or says what to press: the program may ask and go to the next line. */
export function isWholeQuestion(line: string): boolean {
  if (saysHowToEnd(line)) return false
  return /(?:\?|[[(]y(?:es)?\/no?[\])]:?)\s*$|\bpress [^\n]{1,60}$/i.test(line) || isMarkedQuestion(line)
}

/** `? Write a description:`, as prompt libraries ask: the answer may stand below it, and below a hint. */
export function isMarkedQuestion(line: string): boolean {
  return /^\s{0,4}\? \S[^\n]*[\])?:]\s*$/.test(line)
}

/** `Name of the site: my-site`, `Theme [light]: `: a question at the beginning of its line, and the text typed there. */
export function asksWithLabel(before: string): boolean {
  return /^\s{0,4}\p{L}[^\n:?│┃|]{0,80}[\p{L}\d)\]][:?](?: [^\n:?│┃|]*)?$/u.test(before)
}

/** `--More--` is certain; a bare colon may be an editor's. */
export function isPlainlyPager(before: string): boolean {
  return /\(END\)|--More--|^Manual page |^lines? \d/.test(before.trimStart())
}

/** `❯ small` and `  large` below a question: a list from which keys choose. The last line is the first of `lines`. */
export function isPickList(lines: readonly string[]): boolean {
  const items = pickItems(lines)
  return items > 1 && asksToPick.test(lines[items] ?? '')
}

/** The same, drawn anew over an earlier one: the question is not drawn again. */
export function isPickListAgain(lines: readonly string[]): boolean {
  return pickItems(lines) > 1
}

/** The number of lines that are items of a list, one of them with a pointer. The others begin below its text. */
function pickItems(lines: readonly string[]): number {
  const chosen = lines.findIndex((line) => pointed.test(line))
  const [mark = ''] = pointed.exec(lines[chosen] ?? '') ?? []
  const isOther = (line: string) => /^\s+[\p{L}\p{N}"'([]$/u.test(line.slice(0, mark.length))
  const end = lines.findIndex((line, index) => index !== chosen && !isOther(line))
  const items = end < 0 ? lines.length : end
  return chosen >= 0 && chosen < items ? items : 0
}

const asksToPick = /^\s{0,4}\? \S|\?\s*$|\b(?:choose|pick|select|which)\b/i
const pointed = /^\s{0,4}[❯›▸►➤»‣]\s{1,3}[\p{L}\p{N}"'([]/u

/** `a. north`, `b. south` below a question: options with a letter or a number each, of which a line names one. */
export function listsOptions(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '')
  const top = written.findIndex((line) => !option.test(line))
  return top > 1 && /[?:]\s*$/.test(written[top] ?? '')
}

const option = /^\s*(?:[[(]?(?:[a-z]|\d{1,2})[\])]|(?:[a-z]|\d{1,2})[.:])\s+\S/i

/** Returns the part that all prompts of a program share: the same for `In [1]: ` and `In [2]: `; another for an unfinished `In [1]:`. */
export function promptOf(before: string): string {
  return before.trim() === '' ? '' : before.replaceAll(/\d+/g, '0')
}
