import type { OperationInput, OperationOutput } from '../../contracts/operations.ts'
import type { Screen } from '../../engine/screen/screen.ts'
import { lookMs } from './steps/call-session.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { verdictOf } from './steps/observe.ts'

type ScreenshotInput = OperationInput<'screenshot'>

export async function screenshot(
  engine: EngineContext,
  input: ScreenshotInput,
): Promise<OperationOutput<'screenshot'>> {
  const session = engine.host.find(input.terminalId)
  const { verdict } = await session.lookAtTurn(lookMs)
  const { end } = session.log
  const screen = await session.screen()
  const { offset, cursor, rows, cols, title, alternateScreen } = screen.snapshot()
  return {
    screen: pictureOf(screen, input),
    rows,
    cols,
    cursorRow: cursor.row,
    cursorCol: cursor.col,
    ...(title === '' ? {} : { title }),
    ...(alternateScreen ? { alternateScreen } : {}),
    ...(offset < end ? { behindBytes: end - offset, drawnTo: offset } : {}),
    ...verdictOf(session, verdict),
  }
}

function pictureOf(screen: Screen, { format, lines }: ScreenshotInput): string {
  if (format === 'ansi') return screen.toAnsi()
  if (format === 'html') return screen.toHtml()
  const rows = lines === undefined ? screen.snapshot().text : screen.scrollbackText(lines)
  return rows.join('\n').trimEnd()
}
