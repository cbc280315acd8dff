/** The handlers of all verbs. A verb without one does not compile. */

import { gymHandlers } from '@agentpty/gym'
import { serverHandlers } from '@agentpty/server'
import type { Handlers } from '@agentpty/server/call'

export const handlers: Handlers = { ...serverHandlers, ...gymHandlers }
