import type { Handler } from '../../call/handler.ts'

export const resize: Handler<'resize'> = async (engine, input) => {
  const session = engine.host.find(input.terminalId)
  const { cols, rows } = input
  await session.resize({ cols, rows })
  return { terminalId: session.info.id, cols, rows }
}
