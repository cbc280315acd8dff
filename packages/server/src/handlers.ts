/** The handlers of the verbs of the server. Those of the gym join them in `compose/handlers.ts`. */

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

export const serverHandlers = {
  ...agentHandlers,
  ...approvalHandlers,
  ...auditHandlers,
  ...deviceHandlers,
  ...needHandlers,
  ...pipelineHandlers,
  ...recordingHandlers,
  ...scopeHandlers,
  ...terminalHandlers,
} satisfies Partial<Handlers>
