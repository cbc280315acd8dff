/** The handlers of all verbs. A verb without one does not compile. */

import { gymHandlers } from '../gym/handlers.ts'
import { agentHandlers } from './agents/handlers.ts'
import { approvalHandlers } from './approvals/handlers.ts'
import { auditHandlers } from './audit/handlers.ts'
import type { Handlers } from './call/handler.ts'
import { deviceHandlers } from './devices/handlers.ts'
import { needHandlers } from './needs/handlers.ts'
import { pipelineHandlers } from './pipelines/handlers.ts'
import { recordingHandlers } from './recordings/handlers.ts'
import { scopeHandlers } from './scopes/handlers.ts'
import { terminalHandlers } from './terminals/handlers.ts'

export const handlers: Handlers = {
  ...agentHandlers,
  ...approvalHandlers,
  ...auditHandlers,
  ...deviceHandlers,
  ...needHandlers,
  ...pipelineHandlers,
  ...recordingHandlers,
  ...scopeHandlers,
  ...terminalHandlers,
  ...gymHandlers,
}
