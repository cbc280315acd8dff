/**
 * Notifies clients of terminals that they subscribe to, and of terminals that open and close.
 *
 * The next notification follows only after a read: a terminal that prints without end is notified only after each read.
 */

import { limitReached, type ServerClient, subscriptionsMax } from '@agentpty/protocol'
import { parseTerminalUri } from './terminal-uri.ts'

export interface WatcherOptions {
  readonly client: ServerClient
  readonly updated: (uri: string) => void
  /** Called when terminals were opened or closed. */
  readonly listChanged: () => void
}

interface Watched {
  readonly controller: AbortController
  watchers: number
  isNotified: boolean
}

/** It does no harm when a client does not get a notification. */
export const ignoringFailure = (sent: Promise<void> | undefined) => void sent?.catch(() => undefined)

export class ResourceWatcher {
  readonly #options: WatcherOptions
  readonly #watched = new Map<string, Watched>()
  readonly #end = new AbortController()
  #isListNotified = false

  constructor(options: WatcherOptions) {
    this.#options = options
    void this.#watchTerminals()
  }

  /** Errors: `ResourceNotFoundError` for anything but a terminal; `limit_reached`. */
  add(uri: string): void {
    const { terminalId } = parseTerminalUri(uri)
    const watched = this.#watched.get(uri)
    if (watched !== undefined) {
      watched.watchers++
      // A new watcher has had no notification yet.
      watched.isNotified = false
      return
    }
    if (this.#watched.size >= subscriptionsMax)
      throw limitReached(`${this.#watched.size} subscriptions already.`, 'End one of them first.')
    const controller = new AbortController()
    this.#watched.set(uri, { controller, watchers: 1, isNotified: false })
    void this.#follow(uri, terminalId, controller.signal)
  }

  /** The same for a resource that may not exist: then there will never be a notification. */
  tryAdd(uri: string): boolean {
    try {
      this.add(uri)
      return true
    } catch {
      return false
    }
  }

  remove(uri: string): void {
    const watched = this.#watched.get(uri)
    if (watched === undefined || --watched.watchers > 0) return
    watched.controller.abort()
    this.#watched.delete(uri)
  }

  /** Marks the reader as up to date: the next change is notified again. */
  read(uri: string): void {
    const watched = this.#watched.get(uri)
    if (watched !== undefined) watched.isNotified = false
  }

  /** The same for all resources. */
  listed(): void {
    this.#isListNotified = false
  }

  end(): void {
    this.#end.abort()
    for (const { controller } of this.#watched.values()) controller.abort()
    this.#watched.clear()
  }

  async #watchTerminals(): Promise<void> {
    let known: string | null = null
    try {
      for await (const { terminals } of this.#options.client.watch({ signal: this.#end.signal })) {
        const ids = terminals.map(({ terminalId }) => terminalId).join()
        if (known !== null && known !== ids) this.#listChanged()
        known = ids
      }
    } catch {
      // Too many watch already, or the connection is gone: a client sees the terminals whenever it asks.
    }
  }

  #listChanged(): void {
    if (this.#isListNotified) return
    this.#isListNotified = true
    this.#options.listChanged()
  }

  async #follow(uri: string, terminalId: string, signal: AbortSignal): Promise<void> {
    try {
      // From beyond the end: only the end itself is asked for, which costs nothing.
      const { cursor } = await this.#options.client.call('read', { terminalId, since: Number.MAX_SAFE_INTEGER })
      for await (const { type } of this.#options.client.follow(terminalId, { output: { since: cursor }, signal }))
        if (type === 'output' || type === 'exit') this.#notify(uri)
    } catch {
      // The terminal is gone, or the connection: one last notification for those that still listen.
      this.#notify(uri)
    }
    if (!signal.aborted) this.#watched.delete(uri)
  }

  #notify(uri: string): void {
    const watched = this.#watched.get(uri)
    if (watched === undefined || watched.isNotified) return
    watched.isNotified = true
    this.#options.updated(uri)
  }
}
