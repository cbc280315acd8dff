/**
 * Snapshots of one terminal for followers of its bytes: text that draws the screen, and the offset at which the bytes continue.
 * Callers that ask while one is being made share it. Followers that cannot keep up get them at a bounded pace.
 */

import type { Clock, Millis, Offset } from '@agentpty/protocol'
import { type SecretValues, secretHeldBytesMax, secretHeldMs } from '@agentpty/protocol/secrets'
import {
  betweenLateMs,
  type FollowedSnapshot,
  lateSnapshotMs,
  snapshotScrollbackCharacters,
  snapshotScrollbackRows,
} from '@agentpty/protocol/session'
import type { OutputLog } from '../log/output-log.ts'
import type { Timeline } from '../log/timeline.ts'
import type { CommandTracker } from '../marks/command-tracker.ts'
import { hideSecrets } from '../screen/hide-secrets.ts'
import type { Screen } from '../screen/screen.ts'
import { longestOpenSequence, openSequence } from '../screen/skim.ts'
import { commandPlaces } from './command-places.ts'

export interface TerminalSnapshot extends Omit<FollowedSnapshot, 'isLate'> {
  /** Changes of size up to here are drawn. */
  readonly sizedTo: Offset
}

export interface Late {
  readonly sentTo: Offset
  readonly lastAt: Millis
}

export interface DrawnSession {
  readonly commands: CommandTracker
  readonly log: OutputLog
  readonly timeline: Timeline
  screen(): Promise<Screen>
}

/** The number of times that a snapshot waits for the rest of a possible secret, before it hides the part that it has. */
const waitsMax = 5

export class TerminalSnapshots {
  readonly #clock: Clock
  readonly #session: DrawnSession
  readonly #coming = new Map<SecretValues | null, Promise<TerminalSnapshot>>()
  /** The newest snapshot of each kind for late followers, and when it was made. */
  readonly #late = new Map<SecretValues | null, { readonly madeAt: Millis; readonly snapshot: TerminalSnapshot }>()
  /** When the last late follower got its snapshot. */
  #lateAt: Millis = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, session: DrawnSession) {
    this.#clock = clock
    this.#session = session
  }

  /** `secrets`: of a caller who is shown none. */
  async now(secrets: SecretValues | null): Promise<TerminalSnapshot> {
    const coming = this.#coming.get(secrets)
    if (coming !== undefined) return coming
    const taken = this.#take(secrets).finally(() => this.#coming.delete(secrets))
    this.#coming.set(secrets, taken)
    return taken
  }

  /**
   * Returns a snapshot for a follower that has fallen behind. It was sent everything before `sentTo`, and a snapshot at `lastAt`.
   * Late snapshots are made one after the other, because fifty together would keep all other terminals waiting.
   */
  async late(secrets: SecretValues | null, { sentTo, lastAt }: Late): Promise<TerminalSnapshot> {
    this.#lateAt = Math.max(this.#clock.now(), lastAt + lateSnapshotMs, this.#lateAt + betweenLateMs)
    await this.#until(this.#lateAt)
    const made = this.#late.get(secrets)
    if (made !== undefined && made.madeAt > this.#clock.now() - lateSnapshotMs && made.snapshot.at >= sentTo)
      return made.snapshot
    const madeAt = this.#clock.now()
    const snapshot = await this.now(secrets)
    this.#late.set(secrets, { madeAt, snapshot })
    return snapshot
  }

  async #take(secrets: SecretValues | null): Promise<TerminalSnapshot> {
    if (secrets === null) return this.#draw(await this.#session.screen())
    const before = { at: -1, isOpen: true }
    for (let waits = 0; ; waits += 1) {
      const screen = await this.#session.screen()
      const isOpen = this.#isOpen(screen.drawnTo, secrets)
      // A screen without new output is shown, as its bytes would have been.
      if (!isOpen || screen.drawnTo === before.at) return this.#draw(screen, secrets)
      if (waits >= waitsMax) return this.#draw(screen, secrets, true)
      before.at = screen.drawnTo
      await this.#until(this.#clock.now() + secretHeldMs)
    }
  }

  #isOpen(at: Offset, secrets: SecretValues): boolean {
    const { bytes } = this.#session.log.read({ since: Math.max(0, at - secretHeldBytesMax), until: at })
    return secrets.openFrom(Buffer.from(bytes).toString('latin1')) < bytes.length
  }

  #draw(screen: Screen, secrets: SecretValues | null = null, hidesOpen = false): TerminalSnapshot {
    const { drawnTo: at, parsedTo: sizedTo, size, openKind } = screen
    const rows = { scrollbackRows: snapshotScrollbackRows, scrollbackCharacters: snapshotScrollbackCharacters }
    const hide = secrets === null ? {} : hideSecrets(secrets, hidesOpen)
    const { bytes } = this.#session.log.read({ since: Math.max(0, at - longestOpenSequence), until: at })
    // A string that may hold a part of a secret is left out.
    const open = openSequence(openKind, secrets === null || openKind === 'escape' ? bytes : new Uint8Array(0))
    const rowsUp = (row: number) => screen.rowCount - 1 - row
    const commands = commandPlaces(this.#session, screen).map(({ row, ...command }) => ({
      ...command,
      rowsUp: row === null ? null : rowsUp(row),
    }))
    const { promptRow } = screen
    const promptUp = promptRow === null ? null : rowsUp(promptRow)
    return { at, size, text: screen.drawTerminal({ ...rows, ...hide }) + open, sizedTo, commands, promptUp }
  }

  #until(due: Millis): Promise<void> {
    if (this.#clock.now() >= due) return Promise.resolve()
    return new Promise((resolve) => this.#clock.callAt(due, resolve))
  }
}
