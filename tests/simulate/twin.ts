/** A session that saw everything as it happened and was never killed, and what any session can be compared by. */

import type { Session } from '../../packages/agentpty/src/engine/session/session.ts'
import { Session as RealSession } from '../../packages/agentpty/src/engine/session/session.ts'
import { FakeClock, FakePty } from '../../packages/agentpty/src/testing/index.ts'
import type { SimTerminal } from './sim-terminal.ts'

/** Output comes to it in pieces of another size than anybody else's. */
const pieceBytes = 1_021

/** `drain` lets the emulator come to its end: until then the twin takes only so much. */
export async function twinOf(terminal: SimTerminal, session: Session, drain: () => Promise<void>): Promise<Session> {
  const pty = new FakePty(new FakeClock(), { logBytes: session.info.logBytes })
  const twin = new RealSession({
    clock: new FakeClock(),
    pty,
    pid: session.pid,
    info: session.info,
    sizes: [{ offset: 0, ...terminal.size }],
    start: 0,
    history: null,
    version: '0.0.0',
  })
  const print = async (since: number, until: number) => {
    for (let at = since; at < until; at += pieceBytes) {
      pty.prints(terminal.truth.subarray(at, Math.min(until, at + pieceBytes)))
    }
    await drain()
  }
  let printed = 0
  for (const { offset, cols, rows } of terminal.pty.resizes) {
    await print(printed, offset)
    printed = offset
    void pty.resize({ cols, rows })
  }
  await print(printed, session.log.end)
  return twin
}

/** All that a session says of its terminal, but for times and for whose turn it is, which depends on what was seen when. */
export async function story(session: Session): Promise<unknown> {
  const { log, commands, modes } = session
  const timeless = <Command extends { readonly startedAt: number }>({ startedAt: _, ...command }: Command) => command
  const screen = await session.screen()
  return {
    log: { start: log.start, end: log.end },
    parsedTo: session.parsedTo,
    size: session.size,
    commands: commands.commands.map((command) => ({ ...timeless(command), endedAt: 0 })),
    current: commands.current === null ? null : timeless(commands.current),
    atPrompt: commands.atPrompt,
    cwd: commands.cwd,
    modes: {
      paste: modes.bracketedPaste,
      alternate: modes.alternateScreen,
      hidden: modes.cursorHidden,
      title: modes.title,
    },
    picture: screen.snapshot(),
    scrolled: screen.scrollbackText(1_000),
    drawn: screen.toAnsi(),
  }
}
