import type { OperationInput, OperationOutput } from '../../contracts/operations.ts'
import type { Session } from '../../engine/session/session.ts'
import { lookMs } from '../call-session.ts'
import type { EngineContext } from '../engine-context.ts'
import { verdictOf } from '../observe.ts'

type Listed = OperationOutput<'list'>['terminals'][number]

export async function list(engine: EngineContext, _input: OperationInput<'list'>): Promise<OperationOutput<'list'>> {
  return { terminals: await Promise.all(engine.host.sessions.map(describe)) }
}

async function describe(session: Session): Promise<Listed> {
  const { info, pid, commands } = session
  const { verdict } = await session.lookAtTurn(lookMs)
  return {
    terminalId: info.id,
    ...(info.name === null ? {} : { name: info.name }),
    command: commands.current?.line ?? info.shell ?? info.argv.join(' '),
    pid,
    cwd: commands.cwd ?? info.cwd,
    isActive: session.exit === null,
    cursor: session.parsedTo,
    ...verdictOf(session, verdict),
  }
}
