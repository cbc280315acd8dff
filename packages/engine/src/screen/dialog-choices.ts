/**
 * Reads the options that a dialog shows, and which of them is highlighted. Options are numbered, or below each other behind a pointer, or
 * one of them has another background. A question of one line names its answers in brackets.
 *
 * A dialog that fits no rule has no options, because a wrong reading would press keys for something else.
 */

import type { ScreenPicture } from './screen.ts'

interface Choice {
  readonly label: string
  /** The number that the dialog gives it; null without numbers. */
  readonly number: number | null
}

/** `down`, `across`: the arrow keys move the highlight. `typed`: its label is typed. */
export interface ChoiceGroup {
  readonly layout: 'down' | 'across' | 'typed'
  readonly choices: readonly Choice[]
  /** The index of the choice that Enter takes; null where none is seen, and where the answer is typed. */
  readonly highlighted: number | null
}

export interface DialogChoices {
  readonly question: string
  /** The first has the options; a second the buttons below them. */
  readonly groups: readonly ChoiceGroup[]
  /** The text above, which distinguishes two dialogs with the same options. */
  readonly above: string
}

type Picture = Pick<ScreenPicture, 'text' | 'styles' | 'cursor'>

/** A row with text, without the frames around it. Rows and columns count from 0. */
interface Line {
  readonly row: number
  readonly col: number
  readonly text: string
}

interface Found {
  readonly group: ChoiceGroup
  /** The row of its first option. */
  readonly top: number
}

const leftFrame = /^[\s│┃║▌▐╎┆·|]+/u
const rightFrame = /[\s│┃║▌▐╎┆·|]+$/u
const pointers = '❯›>●◉▶▸→➤'
const numbered = new RegExp(
  String.raw`^(?<pointer>[${pointers}])?[○◯☐*•✓✔]?\s*(?<number>\d{1,2})[.)]\s+(?<label>\S.*)$`,
  'u',
)
const pointed = new RegExp(String.raw`^(?<pointer>[${pointers}])\s+(?<label>\S.*)$`, 'u')
/** A hint about keys, which is not an option. */
const hint = /\b(?:enter|return|esc(?:ape)?|tab|ctrl[+-]\w)\b.*(?:·|\bto\b|$)|[↑↓⇆]/i
/** `(y/n)`, `[Y/n]`, `[yes/no/all]:` before the cursor. */
const inBrackets = /[([](\w+(?:[/|]\w+)+)[)\]][\s:?›>]*$/
/** How far up from the last line a dialog may begin, and how many rows above it distinguish it. */
const dialogRowsMax = 24
const aboveRowsMax = 10

/** Null where no options can be read. */
export function choicesOf(picture: Picture): DialogChoices | null {
  const lines = linesOf(picture.text).slice(-dialogRowsMax)
  const list = findNumbered(lines, picture) ?? findRadio(lines, picture) ?? findPointed(lines, picture)
  if (list !== null) return dialogOf([list], lines)
  const typed = findTyped(picture)
  if (typed !== null) return dialogOf([typed], lines)
  const found = [findStyled(lines, picture), findAcross(lines, picture)].filter((one) => one !== null)
  return found.length === 0 ? null : dialogOf(found, lines)
}

function dialogOf(found: readonly Found[], lines: readonly Line[]): DialogChoices {
  const top = Math.min(...found.map((one) => one.top))
  const isTyped = found.some(({ group }) => group.layout === 'typed')
  const above = lines.filter(({ row, text }) => (isTyped ? row <= top : row < top) && /[\p{L}\p{N}]/u.test(text))
  const texts = above.map(({ text }) => text)
  const question = texts.findLast((text) => text.endsWith('?')) ?? texts.at(-1) ?? ''
  return { question, groups: found.map(({ group }) => group), above: texts.slice(-aboveRowsMax).join('\n') }
}

function linesOf(text: readonly string[]): readonly Line[] {
  return text.flatMap((whole, row) => {
    const col = leftFrame.exec(whole)?.[0].length ?? 0
    const bare = whole.slice(col).replace(rightFrame, '')
    return bare === '' ? [] : [{ row, col, text: bare }]
  })
}

interface Option extends Cell {
  readonly label: string
  readonly number: number | null
}

function groupOf(options: readonly Option[], layout: ChoiceGroup['layout'], picture: Picture): Found {
  const choices = options.map(({ label, number }) => ({ label, number }))
  const highlighted = highlightedOf(options, picture.styles)
  return { group: { layout, choices, highlighted }, top: options[0]?.row ?? 0 }
}

/** `❯ 1. Yes`, `2. No`: from one on, the last list on the screen. */
function findNumbered(lines: readonly Line[], picture: Picture): Found | null {
  const all = lines.flatMap((line) => optionIn(line, numbered))
  const start = all.findLastIndex(({ number }) => number === 1)
  const options = start < 0 ? [] : all.slice(start).filter(({ number }, at) => number === at + 1)
  const found = groupOf(options, 'down', picture)
  // A list in an answer points at nothing.
  return options.length < 2 || found.group.highlighted === null ? null : found
}

function optionIn({ row, col, text }: Line, shape: RegExp): readonly Option[] {
  const groups = shape.exec(text)?.groups
  if (groups === undefined) return []
  const { pointer, number, label = '' } = groups
  const at = col + text.length - label.length
  return [
    { row, col: at, label, number: number === undefined ? null : Number(number), isPointed: pointer !== undefined },
  ]
}

/** `● Yes`, `○ No`: radio buttons in rows that follow each other, or side by side. One of them is filled. */
function findRadio(lines: readonly Line[], picture: Picture): Found | null {
  const last = lines.findLastIndex(({ text }) => radioStart.test(text))
  const first = lines.slice(0, last + 1).findLastIndex(({ text }) => !radioStart.test(text)) + 1
  const rows = lines.slice(first, last + 1).map(radiosIn)
  const isAcross = rows.length === 1
  const options = rows.flat()
  const isList = isAcross || rows.every(([one, ...rest]) => rest.length === 0 && one?.col === options[0]?.col)
  const isOne = options.filter(({ isPointed }) => isPointed).length === 1
  return options.length > 1 && isList && isOne ? groupOf(options, isAcross ? 'across' : 'down', picture) : null
}

const radioStart = /^[●◉○◯]\s+\S/u
const radio = /(?<mark>[●◉○◯])\s+(?<label>\S.*?)(?=\s*(?:\/\s*[●◉○◯]\s|$))/gu

function radiosIn({ row, col, text }: Line): readonly Option[] {
  return [...text.matchAll(radio)].map(({ 0: whole, index, groups: { mark = '', label = '' } = {} }) => {
    const at = col + index + whole.length - label.length
    return { row, col: at, label, number: null, isPointed: mark === '●' || mark === '◉' }
  })
}

/** `❯ Red`, and below it `  Blue` at the same column. Rows further in describe an option. */
function findPointed(lines: readonly Line[], picture: Picture): Found | null {
  for (const line of lines.toReversed()) {
    const [option] = optionIn(line, pointed)
    if (option === undefined) continue
    const around = [...neighbours(option, -1, lines).toReversed(), option, ...neighbours(option, 1, lines)]
    if (around.length > 1) return groupOf(around, 'down', picture)
  }
  return null
}

function neighbours(option: Option, step: 1 | -1, lines: readonly Line[]): readonly Option[] {
  const found: Option[] = []
  for (let row = option.row + step; ; row += step) {
    const line = lines.find((one) => one.row === row)
    if (line === undefined || line.col < option.col || hint.test(line.text)) return found
    if (line.col === option.col) found.push({ ...line, label: line.text, number: null, isPointed: false })
  }
}

function findTyped({ text, cursor }: Picture): Found | null {
  const before = (text[cursor.row] ?? '').slice(0, cursor.col)
  const labels = inBrackets.exec(before)?.[1]?.split(/[/|]/)
  if (labels === undefined) return null
  const choices = labels.map((label) => ({ label, number: null }))
  return { group: { layout: 'typed', choices, highlighted: null }, top: cursor.row }
}

/** Rows that begin at the same column, one of them with its own background. */
function findStyled(lines: readonly Line[], picture: Picture): Found | null {
  for (const line of lines.toReversed()) {
    const option = { ...line, label: line.text, number: null, isPointed: false }
    const options = [option, ...neighbours(option, 1, lines)]
    if (neighbours(option, -1, lines).length > 0 || options.length < 2) continue
    const found = groupOf(options, 'down', picture)
    if (found.group.highlighted !== null) return found
  }
  return null
}

/** `Allow once   Reject`, `< OK >  <Cancel>`: words apart in one row, one of them with its own background. */
function findAcross(lines: readonly Line[], picture: Picture): Found | null {
  for (const { row, col, text } of lines.toReversed()) {
    const options = [...text.matchAll(/<[^<>]*>|\[[^[\]]*\]|[^\s<[]\S*(?: \S+)*/g)].map(({ 0: word, index }) => {
      const label = word.replaceAll(/^[<[\s]+|[>\]\s]+$/g, '')
      return { row, col: col + index + word.indexOf(label), label, number: null, isPointed: false }
    })
    const apart = options.slice(0, firstHint(options))
    const found = groupOf(apart, 'across', picture)
    if (apart.length > 1 && found.group.highlighted !== null) return found
  }
  return null
}

/** Returns the index of the first hint about keys: it is behind a wide gap, or names a key. */
function firstHint(options: readonly Option[]): number {
  const at = options.findIndex(({ col, label }, index) => {
    const before = options[index - 1]
    return hint.test(label) || (before !== undefined && col - before.col - before.label.length >= gapMax)
  })
  return at < 0 ? options.length : at
}

const gapMax = 16

interface Cell {
  /** Both count from 0. */
  readonly row: number
  readonly col: number
  readonly isPointed: boolean
}

/**
 * Finds the highlighted one of several cells: a pointer is before it, or its background differs from that of the others.
 *
 * Returns the index of the highlighted cell; null where none, or more than one, is. `styles` are those of a picture.
 */
function highlightedOf(cells: readonly Cell[], styles: readonly string[]): number | null {
  const isAnyPointed = cells.some(({ isPointed }) => isPointed)
  if (isAnyPointed) return onlyOne(cells, ({ isPointed }) => isPointed)
  const grounds = cells.flatMap((cell) => around(cell).map(({ row, col }) => backgroundAt(styles[row], col)))
  const ground = mostCommon(grounds)
  return onlyOne(cells, ({ row, col }) => backgroundAt(styles[row], col) !== ground)
}

function onlyOne<Item>(items: readonly Item[], isIt: (item: Item) => boolean): number | null {
  const found = items.flatMap((item, index) => (isIt(item) ? [index] : []))
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The cell, those in the rows above and below it, and the row's first. */
function around({ row, col }: Cell): readonly { readonly row: number; readonly col: number }[] {
  return [-1, 0, 1].map((step) => ({ row: row + step, col }))
}

/** A look begins at its column and ends where the next begins: `3/background/foreground/flags;`. */
function backgroundAt(style: string | undefined, col: number): string {
  let background = ''
  for (const [, from, look] of (style ?? '').matchAll(/(\d+)(?:\/([^/;]*)[^;]*)?;/g)) {
    if (Number(from) > col) break
    background = look ?? ''
  }
  return background
}

function mostCommon(values: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}
