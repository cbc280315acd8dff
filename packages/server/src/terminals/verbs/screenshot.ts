import type { Screen, ScreenPicture } from '@agentpty/engine/screen'
import { commandPlaces, type Session } from '@agentpty/engine/session'
import { defined } from '@agentpty/protocol'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { type Handler, secretsFor } from '../../call/index.ts'
import { turnForLargeAnswer, verdictNow, verdictOf } from '../steps/observe.ts'
import { pictureOf } from '../steps/screen-change.ts'

type ScreenshotInput = VerbInput<'screenshot'>

export const screenshot: Handler<'screenshot'> = async (engine, input, context) => {
  const { format = 'text', theme = 'dark', lines = 0 } = input
  const isPicture = format === 'svg' || format === 'png'
  if (isPicture) await turnForLargeAnswer(context)
  const session = engine.host.find(input.terminalId)
  const verdict = await verdictNow(session)
  const { end } = session.log
  const screen = await session.screen()
  const picture = screen.picture()
  const { offset, cursor, rows, cols, title, alternateScreen, highlights } = picture
  const secrets = secretsFor(engine, context)
  const image = isPicture
    ? await pictureOf(screen, { format, theme, lines, secrets, fonts: engine.fonts() })
    : undefined
  const isText = format === 'text' || format === 'plain'
  const above = isText && lines > 0 ? screen.scrollbackText(lines).slice(0, -picture.text.length) : []
  return defined({
    screen: isPicture
      ? ''
      : context.keepsBlanks
        ? wholeRows(screen, input)
        : textOf(screen, picture, { above, format }),
    scrollbackRows: above.length > 0 ? above.length : undefined,
    image,
    rows,
    cols,
    cursorRow: cursor.row,
    cursorCol: cursor.col,
    title: title === '' ? undefined : title,
    alternateScreen: alternateScreen ? alternateScreen : undefined,
    highlights: highlights.length === 0 ? undefined : [...highlights],
    commands: input.commands === true && !alternateScreen ? commandsIn(session, screen, lines) : undefined,
    behindBytes: offset < end ? end - offset : undefined,
    drawnTo: offset < end ? offset : undefined,
    ...verdictOf(session, verdict),
  })
}

function commandsIn(session: Session, screen: Screen, lines: number) {
  const first = Math.max(0, screen.rowCount - screen.size.rows - lines)
  return commandPlaces(session, screen).flatMap(({ row, ...place }) =>
    row === null || row < first ? [] : [{ ...place, row: row - first }],
  )
}

interface ShownText extends Pick<ScreenshotInput, 'format'> {
  /** The rows that have scrolled out at the top. */
  readonly above: readonly string[]
}

function textOf(screen: Screen, { text, marked }: ScreenPicture, { format, above }: ShownText): string {
  if (format === 'ansi') return screen.toAnsi()
  if (format === 'html') return screen.toHtml()
  return [...above, ...(format === 'plain' ? text : marked)].join('\n').trimEnd()
}

/** The rows as the program wrote them; only rows without text at the end are left out. */
function wholeRows(screen: Screen, { lines = 0 }: ScreenshotInput): string {
  const rows = screen.scrollbackText(lines, { keepsBlanks: true })
  const last = rows.findLastIndex((row) => row.trim() !== '')
  return rows.slice(0, last + 1).join('\n')
}
