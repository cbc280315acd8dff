/** A case in a session of ours, with a program and a time that belong to the test. */

import type { Screen } from '@agentpty/engine/screen'
import { openFakeSession } from '@agentpty/engine/testing'
import { until } from '../harness/instance.ts'
import { type Case, caseSize, type Seen } from './case.ts'
import { drawScreen } from './draw.ts'
import { lastAnswers, lastQuestions } from './last-questions.ts'

export async function playOnOurs({ bytes }: Case): Promise<Seen> {
  const { pty, session } = openFakeSession({ size: caseSize })
  pty.prints(Buffer.concat([Buffer.from(bytes), Buffer.from(lastQuestions)]))
  // Nobody has read the screen before: programs are answered without that.
  await until(() => lastAnswers.test(pty.written))
  const screen = await session.screen()
  const { text, cursor, title, alternateScreen } = screen.snapshot()
  await session.close({ graceMs: 0, leaveDaemons: false })
  return {
    screen: drawScreen({ text, cursor }),
    replies: pty.written.replace(lastAnswers, ''),
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
