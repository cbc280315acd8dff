/** The queue of approvals and the grants. Other modules import this file alone. */

export { type ApprovalStore, Approvals, inMemory } from './approvals.ts'
export { approvalsFile } from './approvals-file.ts'
export { approvalHandlers } from './handlers.ts'
export { EndedTerminals } from './withdraw-ended.ts'
