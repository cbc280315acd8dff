/**
 * A transcript file with a JSON object in each line. Each read takes the new lines, and keeps sums and the position of
 * the last answer.
 *
 * At most {@link transcriptLookBytesMax} are read each time, in pieces, and no line above {@link
 * transcriptLineBytesMax} is kept. An incomplete line is read again once it is complete. A file that was replaced, or
 * changed before the last position, is read from its beginning, and all sums restart.
 */

import { type LinesShape, transcriptLineBytesMax, transcriptLookBytesMax, type Usage } from '@agentpty/protocol/agents'
import type { Fences } from '../fences.ts'
import { exactAnswer, readRecord, type Said } from './read-record.ts'
import { type Message, messageIn, openPlain, type PlainFile, readAt, type Transcript } from './transcript.ts'
import { type OwnTime, UsageSum } from './usage-sum.ts'

const pieceBytes = 256 * 1024
/** Bytes before the last position that are compared: a rewritten file differs there. */
const comparedBytes = 64
const newline = 10
/** In the closing fence of any task. */
const closing = Buffer.from('END-RESPONSE-')

interface Place {
  readonly from: number
  readonly length: number
}

export class LinesTranscript implements Transcript {
  readonly #path: string
  readonly #shape: LinesShape
  readonly #marks: readonly Buffer[]
  readonly #time: OwnTime
  #sum: UsageSum
  #identity = ''
  #modifiedAt = -1
  #size = -1
  /** There is more than one look reads. */
  #isBehind = false
  #readTo = 0
  #compared: Buffer = Buffer.alloc(0)
  /** In the midst of a line that is too long. */
  #isPassingOver = false
  /** The last lines that may have an answer: the one before is looked at where the last has none. */
  #answers: readonly Place[] = []
  /** The last line with a text of the model. */
  #message: Place | null = null

  constructor(path: string, shape: LinesShape, time: OwnTime) {
    this.#path = path
    this.#shape = shape
    this.#marks = shape.marks.map((mark) => Buffer.from(mark))
    this.#time = time
    this.#sum = new UsageSum(time)
  }

  get usage(): Usage | null {
    return this.#sum.usage
  }

  /** False where it is not there. */
  async look(): Promise<boolean> {
    const file = await openPlain(this.#path)
    if (file === null) return false
    try {
      await this.#read(file)
    } finally {
      await file.handle.close()
    }
    return true
  }

  /** Returns the last answer between these fences in the text read so far. */
  async answer(fences: Fences): Promise<string | null> {
    const file = await openPlain(this.#path)
    if (file === null) return null
    try {
      for (const { from, length } of this.#answers.toReversed()) {
        const texts = this.#parse(await readAt(file, from, length)).flatMap((said) => said.texts)
        const found = exactAnswer(texts.join('\n'), fences)
        if (found !== null) return found
      }
    } finally {
      await file.handle.close()
    }
    return null
  }

  async lastMessage(since: number): Promise<Message | null> {
    const place = this.#message
    const file = place === null ? null : await openPlain(this.#path)
    if (place === null || file === null) return null
    try {
      const said = this.#parse(await readAt(file, place.from, place.length)).findLast(({ texts }) => texts.length > 0)
      return messageIn(said, since)
    } finally {
      await file.handle.close()
    }
  }

  async #read(file: PlainFile): Promise<void> {
    const { identity, modifiedAt, size } = file
    const isUnchanged = identity === this.#identity && modifiedAt === this.#modifiedAt && size === this.#size
    if (isUnchanged && !this.#isBehind) return
    if (!(await this.#isSame(file))) this.#beginAnew()
    this.#identity = identity
    this.#modifiedAt = modifiedAt
    this.#size = size
    const until = Math.min(size, this.#readTo + transcriptLookBytesMax)
    this.#isBehind = until < size
    while (this.#readTo < until) if ((await this.#readPiece(file, until)) === 0) break
    const compared = Math.min(comparedBytes, this.#readTo)
    this.#compared = await readAt(file, this.#readTo - compared, compared)
  }

  async #isSame(file: PlainFile): Promise<boolean> {
    if (file.identity !== this.#identity || file.size < this.#readTo) return false
    const before = await readAt(file, this.#readTo - this.#compared.length, this.#compared.length)
    return before.equals(this.#compared)
  }

  #beginAnew(): void {
    this.#sum = new UsageSum(this.#time)
    this.#readTo = 0
    this.#compared = Buffer.alloc(0)
    this.#isPassingOver = false
    this.#answers = []
    this.#message = null
  }

  /** Returns how many bytes it has passed: 0 where only the beginning of a line is there. */
  async #readPiece(file: PlainFile, until: number): Promise<number> {
    const left = until - this.#readTo
    let bytes = await readAt(file, this.#readTo, Math.min(pieceBytes, left))
    while (!bytes.includes(newline) && bytes.length < Math.min(transcriptLineBytesMax, left)) {
      const wanted = Math.min(bytes.length || pieceBytes, left - bytes.length)
      const more = await readAt(file, this.#readTo + bytes.length, wanted)
      if (more.length === 0) break
      bytes = Buffer.concat([bytes, more])
    }
    const passed = this.#pass(bytes)
    this.#readTo += passed
    return passed
  }

  /** Returns how many bytes of whole lines there are. */
  #pass(bytes: Buffer): number {
    let from = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      if (this.#isPassingOver) this.#isPassingOver = false
      else this.#readLine(bytes.subarray(from, end), this.#readTo + from)
      from = end + 1
    }
    if (from === 0 && (this.#isPassingOver || bytes.length >= transcriptLineBytesMax)) {
      this.#isPassingOver = true
      return bytes.length
    }
    return from
  }

  #readLine(line: Buffer, from: number): void {
    if (line.length > transcriptLineBytesMax || !this.#marks.some((mark) => line.includes(mark))) return
    const records = this.#parse(line)
    for (const said of records) this.#sum.add(said)
    if (!records.some(({ texts }) => texts.length > 0)) return
    this.#message = { from, length: line.length }
    if (line.includes(closing)) this.#answers = [...this.#answers, this.#message].slice(-answersKept)
  }

  #parse(line: Buffer): readonly Said[] {
    try {
      return readRecord(JSON.parse(line.toString('utf8')), this.#shape, this.#shape.lists)
    } catch {
      // Garbage, or cut: it says nothing.
      return []
    }
  }
}

const answersKept = 8
