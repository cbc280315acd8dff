import type { Handler } from './steps/handler.ts'

export const needs: Handler<'needs'> = async ({ overview }, _input, { scope }) => ({
  needs: [...(await overview.needs(scope))],
})
