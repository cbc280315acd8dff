/**
 * An SQLite database that another program writes, read as a snapshot without locks and without SQLite's code. Hostile
 * content does no harm: pages, depth and bytes are bounded, and invalid content ends the read with an error.
 *
 * The program may move pages between the log and the database during the read. This is detected afterwards, and the
 * read is repeated.
 */

import { KeyedQueue } from '@agentpty/protocol'
import { databasePagesMax } from '@agentpty/protocol/agents'
import { openPlain, type PlainFile, readAt } from '../transcript.ts'
import { Pages } from './pages.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

const triesMax = 3

export class DatabaseFile {
  readonly #path: string
  readonly #log = new WriteAheadLog()
  /** One reads after the other. */
  readonly #reads = new KeyedQueue()

  constructor(path: string) {
    this.#path = path
  }

  /** When it was written last, in ms since 1970, and how long it is: the same is the same content. Null where it is not there. */
  async state(): Promise<string | null> {
    const file = await openPlain(this.#path)
    if (file === null) return null
    const log = await openPlain(`${this.#path}-wal`)
    await Promise.all([file.handle.close(), log?.handle.close()])
    return [file, log].map((one) => `${one?.identity} ${one?.modifiedAt} ${one?.size}`).join(' ')
  }

  /** Null where it is not there, makes no sense, or changed at each try. `use` may be called again. */
  read<Result>(use: (pages: Pages) => Promise<Result>): Promise<Result | null> {
    return this.#reads.run(this.#path, () => this.#readUntilSame(use))
  }

  async #readUntilSame<Result>(use: (pages: Pages) => Promise<Result>): Promise<Result | null> {
    for (let tries = 0; tries < triesMax; tries++) {
      const file = await openPlain(this.#path)
      if (file === null) return null
      const log = await openPlain(`${this.#path}-wal`)
      try {
        const found = await this.#readOnce(file, log, use)
        if (found !== null && (await this.#isUnmoved(file, log))) return found.result
      } finally {
        await Promise.all([file.handle.close(), log?.handle.close()])
      }
    }
    return null
  }

  async #readOnce<Result>(
    file: PlainFile,
    log: PlainFile | null,
    use: (pages: Pages) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> {
    if (log === null) this.#log.forget()
    else if (!(await this.#log.look(log))) return null
    const read = async (page: number, bytes: number) => {
      const at = this.#log.at(page)
      return at === null || log === null ? readAt(file, (page - 1) * bytes, bytes) : readAt(log, at, bytes)
    }
    try {
      return { result: await use(await Pages.open(read, databasePagesMax)) }
    } catch (error) {
      // Read in the midst of a change, or no such database: the next try, or the next look, shows which.
      if (error instanceof RangeError) return null
      throw error
    }
  }

  async #isUnmoved(file: PlainFile, log: PlainFile | null): Promise<boolean> {
    const { mtimeMs } = await file.handle.stat()
    return mtimeMs === file.modifiedAt && (log === null || (await this.#log.isSame(log)))
  }
}
