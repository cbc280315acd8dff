/** What the door of termtile keeps of each agent between calls: its artifact, and what was read of it last. */

import { BoundedMap } from '../../contracts/bounded-map.ts'
import type { Client } from '../../contracts/client.ts'
import { withoutEscapes } from '../../contracts/escapes/escapes-in-text.ts'
import { scrollbackRows } from '../../contracts/limits.ts'
import type { Clock } from '../../contracts/ports.ts'
import { newestOffset, readRaw } from '../shared/raw-output.ts'
import { type Artifact, cleaned, fencedResponse, hasFenceEnd, toArtifact } from './text.ts'

/** Agents of whom something is kept; the oldest is forgotten first. */
const notesMax = 64

interface Notes {
  readonly artifact: (Artifact & { readonly at: number }) | null
  readonly lastRead: readonly string[]
}

const noNotes: Notes = { artifact: null, lastRead: [] }

export class AgentNotes {
  readonly #clock: Clock
  readonly #notes = new BoundedMap<string, Notes>(notesMax)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  of(terminalId: string): Notes {
    return this.#notes.get(terminalId) ?? noNotes
  }

  keepArtifact(terminalId: string, output: string): void {
    this.#keep(terminalId, { artifact: { ...toArtifact(output), at: this.#clock.wall() } })
  }

  keepRead(terminalId: string, lastRead: readonly string[]): void {
    this.#keep(terminalId, { lastRead })
  }

  forget(terminalId: string): void {
    this.#notes.delete(terminalId)
  }

  #keep(terminalId: string, news: Partial<Notes>): void {
    this.#notes.set(terminalId, { ...this.of(terminalId), ...news })
  }
}

/** The rows of the screen and above it, the last `lines` of them. */
export async function screenTail(client: Client, terminalId: string, lines: number): Promise<readonly string[]> {
  const { screen } = await client.call(
    'screenshot',
    { terminalId, lines: Math.min(lines, scrollbackRows) },
    { keepsBlanks: true },
  )
  return screen === '' ? [] : screen.split('\n').slice(-lines)
}

/** The last answer between fences; null when there is none. */
export async function lastResponse(client: Client, terminalId: string): Promise<string | null> {
  const { screen } = await client.call('screenshot', { terminalId, lines: scrollbackRows, format: 'plain' })
  const shown = fencedResponse(screen)
  if (shown !== null || !hasFenceEnd(screen)) return shown
  // It began above all that the screen keeps.
  const { text } = await readRaw(client, terminalId, await newestOffset(client, terminalId))
  return fencedResponse(withoutEscapes(text).replaceAll('\r', ''))
}

/** What an agent has answered: between fences if it uses them, else the end of its screen. */
export async function answerOf(client: Client, terminalId: string, lines: number): Promise<string> {
  const response = await lastResponse(client, terminalId)
  return response ?? cleaned((await screenTail(client, terminalId, lines)).join('\n'))
}
