import type { Handler } from '../../call/handler.ts'

export const dismiss: Handler<'dismiss'> = async ({ overview }, { needId }, { scope }) => {
  overview.dismiss(needId, scope)
  return { dismissed: true }
}
