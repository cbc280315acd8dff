/** Fields that several verbs share. */

import { z } from 'zod'
import { nameCharactersMax } from './limits.ts'

/** A terminal by its id (`term-3`) or by its name. */
export const TerminalId = z.string().min(1).max(100)

/** What a terminal is called besides its id. */
export const TerminalName = z
  .string()
  .regex(/^[\w.-]+$/, 'letters, digits, "_", "." and "-" only')
  .max(nameCharactersMax)

/** Asked-for waits may be longer than one call can last; the call then returns early and can be resumed. */
export const waitTimeoutMs = z.number().int().min(0).max(86_400_000).optional()
