import type { Session } from '@agentpty/engine/session'
import { defined } from '@agentpty/protocol'
import { shownSandbox } from '@agentpty/protocol/sandbox'
import { commandOf, endedClientWords } from '@agentpty/protocol/session'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { Handler } from '../../call/index.ts'
import { verdictNow } from '../steps/observe.ts'
import { renderSlice } from '../steps/read-text.ts'
import { verdictOf } from '../steps/verdict-fields.ts'

type Listed = VerbOutput<'list'>['terminals'][number]

export const list: Handler<'list'> = async ({ host, clock }, _input) => ({
  terminals: await describeAll(host.sessions, clock.wall()),
})

export function describeAll(sessions: readonly Session[], wall: number): Promise<Listed[]> {
  return Promise.all(sessions.map((session) => describe(session, wall)))
}

async function describe(session: Session, wall: number): Promise<Listed> {
  const { info, pid, commands } = session
  const verdict = await verdictNow(session)
  return defined({
    terminalId: info.id,
    name: info.name ?? undefined,
    command: (await currentLine(session)) ?? info.shell ?? commandOf(info.argv),
    pid,
    cwd: commands.cwd ?? info.cwd,
    isActive: session.exit === null,
    cursor: session.parsedTo,
    createdAt: info.createdAt,
    parent: info.parent ?? undefined,
    clientEnded: info.clientEndedAt === null ? undefined : endedClientWords(info.clientEndedAt, wall),
    clientEndedAt: info.clientEndedAt ?? undefined,
    isPaused: info.isPaused || undefined,
    sandbox: shownSandbox(info.sandbox),
    ...verdictOf(session, verdict),
  })
}

/** The command line that runs now: as the shell reported it, or as the output shows it. Null when none runs. */
async function currentLine(session: Session): Promise<string | null> {
  const { current } = session.commands
  if (current === null || current.line !== null || current.inputStart === null) return current?.line ?? null
  const typed = await renderSlice(session, current.inputStart, current.outputStart)
  return (
    typed
      .map(({ text }) => text.trim())
      .join('\n')
      .trim() || null
  )
}
