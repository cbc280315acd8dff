export {
  auditEntriesMax,
  auditFileBytesMax,
  auditFilesMax,
  auditFollowMs,
  auditGatherMs,
  auditLineBytesMax,
  auditOpenMax,
  auditOpenMs,
  auditQueueMax,
  auditRetryMs,
  auditSeenMax,
  auditTextCharactersMax,
  auditTypingMax,
  auditTypingMs,
  auditWordsCharactersMax,
} from './audit-limits.ts'
export {
  type AuditBody,
  AuditCaller,
  type AuditPosition,
  type AuditRecord,
  type BodyOf,
  parseAuditPosition,
  parseAuditRecord,
  type RecordOf,
} from './audit-record.ts'
export type { ApprovalStatistics, AuditEntry, AuditQuery, AuditRoom, AuditVerdict, BrokenRecord } from './audit-room.ts'
export type { AuditStatus } from './audit-status.ts'
export {
  happenedAt,
  type TerminalRecord,
  type TerminalRecords,
  type TerminalRecordsPage,
  type TerminalRecordsQuery,
} from './terminal-records.ts'
