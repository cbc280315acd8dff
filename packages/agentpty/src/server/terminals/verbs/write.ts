import { defined } from '../../../contracts/defined.ts'
import type { Handler } from '../../call/handler.ts'
import { noteOf } from '../steps/type-text.ts'
import { typistOf } from '../steps/typist.ts'

export const write: Handler<'write'> = async ({ host }, { terminalId, data, numbered }, context) => {
  const session = host.find(terminalId)
  const typist = typistOf(session, context)
  const note = noteOf(await session.keyboard.write(Buffer.from(data, 'base64'), typist, numbered))
  return defined({ written: true, note })
}
