export {
  Approval,
  type ApprovalRequest,
  type KeptApproval,
  KeptApprovals,
} from './approval.ts'
export {
  answersBeforeOffer,
  approvalCharactersMax,
  approvalKeptMs,
  approvalsAnsweredMax,
  approvalsMax,
  approvalWaitMs,
  effectFilesMax,
  effectMsMax,
  grantMs,
  grantMsMax,
  grantsMax,
} from './approval-limits.ts'
export type { Answer, ApprovalAnswer, ApprovalChanged, ApprovalQueue, AskOptions, Ended } from './approval-queue.ts'
export { Grant, GrantChoice, GrantOffer, HoldingGrant, type Wish } from './grant.ts'
export { approvalIn, repeatByTool, repeatedByCommand } from './repeat-words.ts'
export { shownText } from './shown-text.ts'
