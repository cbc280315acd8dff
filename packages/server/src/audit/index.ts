/** The journal and the timeline. Other modules import this file alone. */

export { AuditFiles, readHead } from './audit-files.ts'
export { AuditJournal, shortened } from './audit-journal.ts'
export { type ChainEnd, endOfChain } from './audit-lines.ts'
export { auditRoom } from './audit-room.ts'
export { AuditWriter } from './audit-writer.ts'
export { effectRecord } from './effects-report.ts'
export { auditHandlers } from './handlers.ts'
export { terminalRecords } from './terminal-records.ts'
