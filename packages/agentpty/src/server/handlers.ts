/** The handlers of all verbs. A verb without one does not compile. */

import { gymHandlers } from '../gym/handlers.ts'
import { agentHandlers } from './agents/index.ts'
import { approvalHandlers } from './approvals/index.ts'
import { auditHandlers } from './audit/index.ts'
import type { Handlers } from './call/index.ts'
import { deviceHandlers } from './devices/index.ts'
import { needHandlers } from './needs/index.ts'
import { pipelineHandlers } from './pipelines/index.ts'
import { recordingHandlers } from './recordings/index.ts'
import { scopeHandlers } from './scopes/index.ts'
import { terminalHandlers } from './terminals/index.ts'

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
