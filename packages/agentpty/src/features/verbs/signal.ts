import { constants } from 'node:os'
import type { Handler } from './steps/handler.ts'

export const signal: Handler<'signal'> = async ({ host }, { terminalId, signal: name }) => {
  await host.signal(host.find(terminalId), constants.signals[name])
  return { signalled: true }
}
