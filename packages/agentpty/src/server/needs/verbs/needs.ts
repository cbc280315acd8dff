import type { Handler } from '../../call/handler.ts'

export const needs: Handler<'needs'> = async ({ overview }, _input, { scope }) => ({
  needs: [...(await overview.needs(scope))],
})
