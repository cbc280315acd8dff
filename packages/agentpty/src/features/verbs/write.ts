import { defined } from '../../contracts/defined.ts'
import type { Handler } from './steps/handler.ts'
import { noteOf } from './steps/type-text.ts'

export const write: Handler<'write'> = async ({ host }, { terminalId, data }) => {
  const session = host.find(terminalId)
  const note = noteOf(await session.write(Buffer.from(data, 'base64')))
  return defined({ written: true, note })
}
