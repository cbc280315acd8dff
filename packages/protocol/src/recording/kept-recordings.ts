/** Recordings on the disk, for those who ask the daemon: also of terminals that are gone. An id is one that the folder has, and no path. */

import type { RecordingRow } from './recordings.ts'

export interface KeptRecordings {
  /** The newest, the newest first; and how many there are besides. Errors: `environment`. */
  newest(max: number): Promise<{ readonly rows: readonly RecordingRow[]; readonly older: number }>
  /** Null where there is none. Errors: `environment`. */
  find(recordingId: string): RecordingRow | null
  /** At most so many bytes from there on, of what is whole by now; `end`: how much that is. Null where there is none. Errors: `environment`. */
  read(
    recordingId: string,
    part: { readonly from: number; readonly maxBytes: number },
  ): Promise<{ readonly bytes: Uint8Array; readonly end: number } | null>
}
