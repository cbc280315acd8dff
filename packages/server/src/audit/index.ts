/** The journal and the timeline. Other modules import this file alone. */

export { AuditFiles, readHead } from './audit-files.ts'
export { AuditJournal } from './audit-journal.ts'
export { auditRoom } from './audit-room.ts'
export { AuditWriter } from './audit-writer.ts'
export { shortened } from './call-details.ts'
export { type ChainEnd, endOfChain } from './chain.ts'
export { auditHandlers } from './handlers.ts'
export { terminalRecords } from './terminal-records.ts'
