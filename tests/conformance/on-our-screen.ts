/** Runs a case in one of our sessions, with a program and a clock of the test. */

import type { Screen } from '@agentpty/engine/screen'
import { openFakeSession } from '@agentpty/engine/testing'
import { until } from '../harness/instance.ts'
import { type Case, caseSize, type Seen } from './case.ts'
import { drawScreen } from './draw.ts'
import { lastAnswers, lastQuestions } from './last-questions.ts'

export async function playOnOurs({ bytes }: Case): Promise<Seen> {
  const { pty, session } = openFakeSession({ size: caseSize })
  pty.prints(Buffer.concat([Buffer.from(bytes), Buffer.from(lastQuestions)]))
  // The screen was not read before: programs are answered without that.
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

/** The parameters of the SGR that draws the first cell. */
export function sgrOfFirstCell(screen: Screen): string {
  const row = screen.drawWindow({ top: 0, left: 0, rows: 1, cols: 1 })[0] ?? ''
  return /^\x1b\[0;?([\d;]*)m/.exec(row)?.[1] ?? ''
}
