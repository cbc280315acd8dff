/** Every bound of the audit journal. Sizes are bytes, durations milliseconds, unless the name says otherwise. */

const KiB = 1024
const MiB = 1024 * KiB

/**
 * The audit journal. Records that wait to be written: at the next moment, or until there is room on the disk; what comes then is counted
 * and not kept. A record is half a KiB, 6 at most.
 */
export const auditQueueMax = 4_096
/** How long (ms) a record waits for others that are written with it; one of a refusal waits for none. */
export const auditGatherMs = 250
/** After a write that failed the next one is tried this many ms later. */
export const auditRetryMs = 2_000
/** A file, and how many are kept: some 500,000 records, weeks of ordinary work. The oldest one makes room. */
export const auditFileBytesMax = 8 * MiB
export const auditFilesMax = 32
/** Of what is typed or started, and of other texts, how much a record holds. */
export const auditTextCharactersMax = 1_000
export const auditWordsCharactersMax = 300
/** What no record is longer than: a longer line is damage. */
export const auditLineBytesMax = 64 * KiB
/** A call that has not ended after this many ms is recorded as open, and its end by itself; how many are followed like that. */
export const auditOpenMs = 1_000
export const auditOpenMax = 4_096
/** What a person types is recorded as one for this many ms, for each terminal and client. */
export const auditTypingMs = 5_000
export const auditTypingMax = 256
/** How many records one answer may hold. */
export const auditEntriesMax = 100_000
/** How often (ms) whoever follows the journal looks what has been written. */
export const auditFollowMs = 250
/** Who has looked into whose terminals: each is recorded once, as far back as these are known. */
export const auditSeenMax = 4_096
