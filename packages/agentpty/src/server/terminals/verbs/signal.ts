import { constants } from 'node:os'
import type { Handler } from '../../call/handler.ts'
import { assertNotOwnTree } from '../steps/own-tree.ts'

export const signal: Handler<'signal'> = async (engine, { terminalId, signal: name }, context) => {
  const session = engine.host.find(terminalId)
  assertNotOwnTree(engine, [session], context, { what: 'The signal', force: true })
  await engine.host.signal(session, constants.signals[name])
  return { signalled: true }
}
