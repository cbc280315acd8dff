import type { Handler } from '../../call/handler.ts'

export const rename: Handler<'rename'> = async ({ host }, { terminalId, name }) => {
  const session = host.find(terminalId)
  host.rename(session, name)
  return { terminalId: session.info.id, name }
}
