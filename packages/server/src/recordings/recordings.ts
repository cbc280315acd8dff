/** Chooses which terminals are recorded, and stores their recordings. A recording continues where the previous daemon stopped. */

import type { Host } from '@agentpty/engine/host'
import type { Session } from '@agentpty/engine/session'
import type { Clock, Stop } from '@agentpty/protocol'
import { systemReason } from '@agentpty/protocol'
import type { RecordingSettings } from '@agentpty/protocol/home'
import { recordingsSweepMs, recordingWriteMs } from '@agentpty/protocol/recording'
import type { SecretValues } from '@agentpty/protocol/secrets'
import { type MakeMask, Recorder } from './recorder.ts'
import { appendTo, listRecordings, openRecording, pathOfRecording, removeRecording } from './recording-files.ts'

export interface RecordingsOptions {
  readonly clock: Clock
  readonly host: Pick<Host, 'sessions' | 'onChange'>
  readonly settings: RecordingSettings
  readonly folder: string
  readonly secrets: SecretValues
  readonly mask: MakeMask
  /** Bytes before the first one that may belong to a secret. */
  readonly leadBytes: number
  /** Called with write errors, once for each recording. */
  readonly failed: (what: string) => void
}

interface Recorded {
  readonly recorder: Recorder
  readonly path: string
  readonly stopInput: Stop
  /** Its terminal has been closed: what is left is taken down, and that is the end of it. */
  isClosed: boolean
}

export class Recordings {
  readonly #options: RecordingsOptions
  readonly #recorded = new Map<Session, Recorded>()
  /** Terminals that are not recorded, or no more. */
  readonly #others = new WeakSet<Session>()
  #stopTimer: Stop = () => {}
  #stopSweep: Stop = () => {}
  readonly #stopListening: Stop
  #looking: Promise<void> | null = null
  #isClosing = false

  constructor(options: RecordingsOptions) {
    this.#options = options
    this.#stopListening = options.host.onChange(() => this.#lookForSessions())
    this.#lookForSessions()
    this.#sweepLater()
  }

  /** Writes all pending output and ends; the next daemon continues. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopTimer()
    this.#stopSweep()
    this.#stopListening()
    await this.#looking
    await this.#lookAtAll()
    for (const { stopInput } of this.#recorded.values()) stopInput()
  }

  #lookForSessions(): void {
    const { host } = this.#options
    const here = new Set(host.sessions)
    for (const [session, recorded] of this.#recorded) if (!here.has(session)) recorded.isClosed = true
    for (const session of here) if (!this.#recorded.has(session) && !this.#others.has(session)) this.#begin(session)
    if (this.#recorded.size > 0) this.#lookLater()
  }

  #begin(session: Session): void {
    const { clock, settings, folder, secrets, mask, leadBytes } = this.#options
    const isWanted = session.info.isRecorded || settings.mode !== 'off'
    const path = pathOfRecording(folder, session.info.id)
    const found = isWanted ? this.#found(path) : null
    if (!isWanted || found?.isEnded) {
      this.#others.add(session)
      return
    }
    const append = (at: number, text: string) => appendTo(path, at, text)
    const { maxBytes } = settings
    const recorder = new Recorder({ clock, session, mask, secrets, found, maxBytes, append, leadBytes })
    const stopInput = settings.input ? session.keyboard.onRecordable((bytes) => recorder.typed(bytes)) : () => {}
    this.#recorded.set(session, { recorder, path, stopInput, isClosed: false })
  }

  #found(path: string) {
    try {
      return openRecording(path)
    } catch (error) {
      this.#options.failed(`${path} cannot be read: ${systemReason(error)}`)
      return { bytes: 0, to: null, isEnded: true }
    }
  }

  #lookLater(): void {
    if (this.#isClosing) return
    const { clock } = this.#options
    this.#stopTimer()
    this.#stopTimer = clock.callAt(clock.now() + recordingWriteMs, () => {
      this.#looking ??= this.#lookAtAll().finally(() => {
        this.#looking = null
        if (this.#recorded.size > 0) this.#lookLater()
      })
    })
  }

  /** One after the other: a flood in one of them is not written faster than the disk takes it, and all have their turn. */
  async #lookAtAll(): Promise<void> {
    for (const [session, recorded] of this.#recorded) {
      if (recorded.recorder.isDue) await this.#look(session, recorded)
      const { state, isDue } = recorded.recorder
      // Whether a full recording has failed is not known yet.
      const isOver = state === 'full' ? session.exit !== null || recorded.isClosed : state !== 'records'
      if (isOver || (recorded.isClosed && !isDue)) this.#forget(session, recorded)
    }
  }

  async #look(session: Session, { recorder, path }: Recorded): Promise<void> {
    try {
      await recorder.look()
    } catch (error) {
      // The disk is full: the terminal continues, and its recording ends with the written part.
      this.#options.failed(`${path} cannot be written: ${systemReason(error)}`)
      this.#drop(session)
    }
  }

  #drop(session: Session): void {
    this.#recorded.get(session)?.stopInput()
    this.#recorded.delete(session)
    this.#others.add(session)
  }

  #forget(session: Session, { recorder, path }: Recorded): void {
    this.#drop(session)
    const { mode } = this.#options.settings
    const isKept = mode !== 'onFailure' || session.info.isRecorded || recorder.hasFailed
    if (!isKept) removeRecording(path)
    this.#sweep()
  }

  #sweepLater(): void {
    const { clock } = this.#options
    this.#sweep()
    this.#stopSweep = clock.callAt(clock.now() + recordingsSweepMs, () => this.#sweepLater())
  }

  /** Those that are too old go, and then the oldest until the rest fits. Those that are being written stay. */
  #sweep(): void {
    const { clock, settings, folder, failed } = this.#options
    try {
      const written = new Set([...this.#recorded.values()].map(({ path }) => path))
      const all = listRecordings(folder)
      let bytes = all.reduce((sum, row) => sum + row.bytes, 0)
      for (const row of all) {
        const isOld = clock.wall() - (row.startedAt + row.seconds * 1_000) > settings.maxAgeDays * 86_400_000
        if (written.has(row.path) || (!isOld && bytes <= settings.totalBytes)) continue
        removeRecording(row.path)
        bytes -= row.bytes
      }
    } catch (error) {
      failed(`${folder} cannot be tidied: ${systemReason(error)}`)
    }
  }
}
