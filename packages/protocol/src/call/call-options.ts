import * as z from 'zod'
import { terminalVariable } from '../session/own-terminal.ts'
import type { CallContext } from './call-context.ts'

/** The caller on whose behalf long-lived work runs. It may outlive the call and the server. Only the terminal of its environment is kept. */
export const Origin = z.strictObject({
  /** The same as in `CallContext`. */
  client: z.string(),
  cwd: z.string(),
  /** The id of their scope; null without one. */
  scope: z.string().nullable(),
  /** The terminal that they run in, by its id; null outside of terminals. */
  terminalId: z.string().nullable(),
})
export type Origin = Readonly<z.infer<typeof Origin>>

export function originOf({ client, cwd, scope, env }: CallContext): Origin {
  return { client, cwd, scope: scope?.id ?? null, terminalId: env[terminalVariable] ?? null }
}
