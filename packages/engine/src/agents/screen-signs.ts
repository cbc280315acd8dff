/**
 * Signs on the screen of an agent that reports nothing: a hint how to interrupt means work, a list of choices with a
 * hint how to choose means a question. Only words that many agents use; no program's name.
 */

export interface ScreenSigns {
  /** The screen says how to interrupt it: it works. */
  readonly interruptible: boolean
  readonly dialog: Dialog | null
  /** The rows with the dialog, as they are drawn; null without one. */
  readonly dialogRows: string | null
  /** An answered dialog is still on the screen; below it the program shows its present state. */
  readonly goesOn: boolean
  /** It has an agent's input box. */
  readonly inputBox: boolean
}

export interface Dialog {
  readonly question: string
  readonly options: readonly string[]
}

export interface ScreenText {
  readonly rows: readonly string[]
  readonly cursorVisible: boolean
}

const interrupt =
  /\besc(?:ape)?(?: again)? to (?:interrupt|stop)\b|\besc(?: esc)? (?:again to )?(?:interrupt|edit prompt)\b|\bctrl[+-]c to (?:interrupt|stop)\b|\(esc to cancel, \d+/i
const choiceHint =
  /\b(?:enter|return|⏎|↵) (?:to )?(?:confirm|select|submit|accept|choose)\b|\besc(?:ape)? to (?:cancel|go back|exit)\b|↑\/?↓|⇆ ?select|\btab to (?:amend|toggle)\b/i
const inputBox =
  /\/ (?:for )?commands\b|\bctrl\+p commands\b|\? for shortcuts\b|\btype your message\b|\bask (?:\w+ to do )?anything\b|\? (?:for )?help\b/i
/** Frames that boxes are drawn with, and blanks. */
const frame = /^[\s│┃|║▌▐╎┆·]+|[\s│┃|║▌▐╎┆]+$/g
const option = /^(?<pointer>[❯›>●○◉◯▶▸→*➤▪✓])?\s*(?<number>\d{1,2})[.)]\s+(?<text>\S.*)$/u
const radio = /^[●○◉◯]\s+/u
/** Below a dialog that has been answered: what it does now, as in `Restarting to apply the change...`. */
const goingOn = /(?:^|\s)\p{L}+ing\b[^.…]*(?:\.{3}|…)$/u
/** The number of rows above the last line in which a dialog may begin. */
const dialogRowsMax = 24

export function readSigns({ rows, cursorVisible }: ScreenText): ScreenSigns {
  const filled = rows.map((row) => row.replaceAll(frame, '')).filter((row) => row !== '')
  const bottom = filled.slice(-dialogRowsMax)
  const dialog = findDialog(bottom, cursorVisible)
  const goesOn = dialog !== null && goingOn.test(bottom.at(-1) ?? '')
  const interruptible = bottom.slice(-8).some((row) => interrupt.test(row))
  const hasBox = bottom.slice(-8).some((row) => inputBox.test(row))
  const isUp = dialog !== null && !goesOn
  const dialogRows = isUp ? bottom.join('\n') : null
  return { interruptible, dialog: isUp ? dialog : null, dialogRows, goesOn, inputBox: hasBox }
}

function findDialog(rows: readonly string[], cursorVisible: boolean): Dialog | null {
  const hinted = rows.slice(-8).some((row) => choiceHint.test(row))
  const numbered = findNumbered(rows)
  if (numbered !== null && (hinted || !cursorVisible)) return numbered
  const marked = cursorVisible ? null : findMarked(rows)
  if (marked !== null) return marked
  if (!hinted || cursorVisible) return null
  const asked = rows.findLastIndex((row) => /\?$|\b(?:required|permission|allow)\b/i.test(row) && !choiceHint.test(row))
  return asked < 0 ? null : { question: rows[asked] ?? '', options: [] }
}

/** `● Yes`, `○ No`: radio buttons right below a question, one of them filled. Below them is at most a hint how to choose. */
function findMarked(rows: readonly string[]): Dialog | null {
  const shown = rows.filter((row) => /[\p{L}\p{N}]/u.test(row))
  const end = choiceHint.test(shown.at(-1) ?? '') ? shown.length - 1 : shown.length
  const start = shown.slice(0, end).findLastIndex((row) => !radio.test(row)) + 1
  const buttons = shown.slice(start, end).flatMap((row) => row.split(/\s+\/\s+(?=[●○◉◯])/u))
  const filled = buttons.filter((button) => /^[●◉]/u.test(button))
  const question = shown[start - 1]?.replace(/^[^\p{L}\p{N}]+/u, '') ?? ''
  if (buttons.length < 2 || filled.length !== 1 || !/[?:]$/.test(question)) return null
  return { question, options: buttons.map((button) => button.replace(radio, '')) }
}

/** `❯ 1. Yes`, `2. No`: numbered from one, one of them pointed at. */
function findNumbered(rows: readonly string[]): Dialog | null {
  const found = rows.flatMap((row, index) => {
    const groups = option.exec(row)?.groups
    return groups === undefined
      ? []
      : [
          {
            index,
            pointed: groups['pointer'] !== undefined,
            number: Number(groups['number']),
            text: groups['text'] ?? '',
          },
        ]
  })
  const start = found.findLastIndex(({ number }) => number === 1)
  const options = start < 0 ? [] : found.slice(start).filter(({ number }, at) => number === at + 1)
  if (options.length < 2 || !options.some(({ pointed }) => pointed)) return null
  const above = rows.slice(0, options[0]?.index ?? 0).filter((row) => /[\p{L}\p{N}]/u.test(row))
  const question = above.findLast((row) => row.endsWith('?')) ?? above.at(-1) ?? ''
  return { question, options: options.map(({ text }) => text) }
}
