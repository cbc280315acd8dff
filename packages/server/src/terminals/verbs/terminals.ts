import type { Session } from '@agentpty/engine/session'
import { defined } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { shownGate } from '@agentpty/protocol/effects'
import { shownSandbox } from '@agentpty/protocol/sandbox'
import { commandOf, endedClientWords } from '@agentpty/protocol/session'
import type { ListedTerminal, VerbInput } from '@agentpty/protocol/verbs'
import type { EngineContext, Handler } from '../../call/index.ts'
import { assertNotOwnTree, withBelow } from '../lease-guard.ts'
import { verdictNow, verdictOf } from '../steps/observe.ts'
import { renderSlice } from '../steps/read-text.ts'

export const list: Handler<'list'> = async ({ host, clock }, _input) => ({
  terminals: await describeAll(host.sessions, clock.wall()),
})

export function describeAll(sessions: readonly Session[], wall: number): Promise<ListedTerminal[]> {
  return Promise.all(sessions.map((session) => describe(session, wall)))
}

async function describe(session: Session, wall: number): Promise<ListedTerminal> {
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
    gate: shownGate(info.gate),
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

export const close: Handler<'close'> = async (engine, input, context) => {
  const named = chosen(engine, input, context)
  const what = `Closing ${named.length > 1 ? 'these' : 'it'}`
  const leaveDaemons = input.leaveDaemons ?? false
  const closed: string[] = []
  let survivors = 0
  // Terminals that a program opens while it ends are closed as well: they have no other parent.
  for (let found = all(); found.length > 0; found = all()) {
    assertNotOwnTree(engine, found, context, { what, force: input.force === true })
    const ends = await Promise.all(found.map((session) => engine.host.close(session, { leaveDaemons })))
    survivors += ends.reduce((sum, one) => sum + one.survivors, 0)
    closed.push(...found.map(({ info }) => info.id))
  }
  return defined({ closed, survivors: survivors > 0 ? survivors : undefined })

  function all(): readonly Session[] {
    const found = input.below === true ? withBelow(engine, named) : named
    return found.filter(({ info }) => !closed.includes(info.id))
  }
}

/** All are found before any is closed: a mistyped id closes nothing. */
function chosen(engine: EngineContext, input: VerbInput<'close'>, context: CallContext): readonly Session[] {
  const named = [...(input.terminalIds ?? []), ...(input.terminalId === undefined ? [] : [input.terminalId])]
  const own = input.all ? engine.host.sessions.filter(({ info }) => info.createdBy === context.client) : []
  return [...new Set([...named.map((id) => engine.host.find(id)), ...own])]
}
