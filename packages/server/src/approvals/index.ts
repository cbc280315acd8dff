/** The queue of approvals and the grants. Other modules import this file alone. */

export { type ApprovalStore, Approvals, approvalsFile, inMemory } from './approvals.ts'
export { approvalHandlers, withdrawOfEnded } from './handlers.ts'
