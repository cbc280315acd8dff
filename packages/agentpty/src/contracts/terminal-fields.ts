/** Fields that several verbs share. */

import { z } from 'zod'

/** A terminal by its id (`term-3`) or by its name. */
export const TerminalId = z.string().min(1).max(100)

/** Asked-for waits may be longer than one call can last; the call then returns early and can be resumed. */
export const waitTimeoutMs = z.number().int().min(0).max(86_400_000).optional()
