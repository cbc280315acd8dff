/** How a daemon’s audit journal does. */
export interface AuditStatus {
  readonly folder: string
  /** How many there were in all, those included that were dropped. */
  readonly records: number
  /** Not written yet. */
  readonly waiting: number
  /** Not kept, as they could not be written, since the daemon was started. */
  readonly lost: number
  /** Why nothing can be written; null when it can. */
  readonly problem: string | null
}
