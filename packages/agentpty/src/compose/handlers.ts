/** The handlers of all verbs. A verb without one does not compile. */

import { gymHandlers } from '../gym/handlers.ts'
import type { Handlers } from '../server/call/index.ts'
import { serverHandlers } from '../server/handlers.ts'

export const handlers: Handlers = { ...serverHandlers, ...gymHandlers }
