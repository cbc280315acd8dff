/** The error output of a program, and the line of it that says why the program ended. */

import { searchableText } from '@agentpty/engine/waits'
import { complaintBytesMax } from '@agentpty/protocol'

export class Complaint {
  #text = ''

  add(bytes: Buffer): void {
    this.#text = (this.#text + searchableText(bytes)).slice(-complaintBytesMax)
  }

  /** Node prints its version last, after the stack. */
  get quoted(): string {
    const lines = this.#text.split('\n').filter((line) => line.trim() !== '' && !/^(\s|[{}]|Node\.js v)/.test(line))
    const last = lines.at(-1)?.trim().slice(0, 200)
    return last === undefined ? '' : `: ${last}`
  }
}
