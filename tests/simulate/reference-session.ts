/**
 * A session that saw all output live and was never restarted, and the state for comparing two sessions.
 */

import { Session as RealSession, type Session } from '@agentpty/engine/session'
import { FakeClock, FakePty } from '@agentpty/protocol/testing'
import type { SimTerminal } from './sim-terminal.ts'

/** It receives its output in pieces of a size that no other session uses. */
const pieceBytes = 1_021

/** `drain` lets the emulator parse everything; before that a session accepts only a bounded amount. */
export async function referenceOf(
  terminal: SimTerminal,
  session: Session,
  drain: () => Promise<void>,
): Promise<Session> {
  const pty = new FakePty(new FakeClock(), { logBytes: session.info.logBytes })
  const reference = new RealSession({
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
  return reference
}

/** The state of a session without times and without the verdict, which depends on the time of its facts. */
export async function stateOf(session: Session): Promise<unknown> {
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
