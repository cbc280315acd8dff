import type { Handler } from '../../server/call/handler.ts'

export const environments: Handler<'environments'> = async ({ environments: kept }) => ({
  environments: kept.list().map((one) => ({ ...one })),
})
