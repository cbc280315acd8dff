/** A case in a session of ours, with a program and a time that belong to the test. */

import type { Screen } from '../../packages/agentpty/src/engine/screen/screen.ts'
import { openFakeSession } from '../../packages/agentpty/src/engine/session/testing/fake-session.ts'
import { type Case, caseSize, type Seen } from './case.ts'
import { drawScreen } from './draw.ts'

export async function playOnOurs({ bytes }: Case): Promise<Seen> {
  const { pty, session } = openFakeSession({ size: caseSize })
  pty.prints(bytes)
  const screen = await session.screen()
  // Replies are written in a later turn.
  await new Promise(setImmediate)
  const { text, cursor, title, alternateScreen } = screen.snapshot()
  await session.close({ graceMs: 0, leaveDaemons: false })
  return {
    screen: drawScreen({ text, cursor }),
    replies: pty.written,
    sgr: sgrOfFirstCell(screen),
    title,
    cursorVisible: cursor.visible,
    alternateScreen,
  }
}

/** Parameters of the SGR that draws the first cell. */
export function sgrOfFirstCell(screen: Screen): string {
  const row = screen.drawWindow({ top: 0, left: 0, rows: 1, cols: 1 })[0] ?? ''
  return /^\x1b\[0;?([\d;]*)m/.exec(row)?.[1] ?? ''
}
