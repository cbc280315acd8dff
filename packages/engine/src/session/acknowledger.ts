import { type Offset, type Pty, unparsedBytesMax } from '@agentpty/protocol'

/** Share of what the host lets us fall behind and its ring holds: most sessions never need to acknowledge. */
const ackShare = 1 / 8

/** Reports to the host how far its output has been taken in, seldom: it is asked for no more than it needs. */
export class Acknowledger {
  readonly #pty: Pick<Pty, 'ack'>
  readonly #everyBytes: number
  #ackedTo: Offset

  /** @param logBytes - What the host's ring holds. */
  constructor(pty: Pick<Pty, 'ack'>, start: Offset, logBytes: number) {
    this.#pty = pty
    this.#everyBytes = ackShare * Math.min(unparsedBytesMax, logBytes)
    this.#ackedTo = start
  }

  /** All output up to here has been taken in. */
  takenTo(offset: Offset): void {
    if (offset < this.#ackedTo + this.#everyBytes) return
    this.#ackedTo = offset
    this.#pty.ack(offset)
  }
}
