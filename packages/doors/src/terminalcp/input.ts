/**
 * Types what comes through terminalcp's `stdin`: in order for each session, with every Enter as a key press of its own.
 */

import { KeyedQueue } from '@agentpty/protocol'
import type { ToolCall } from '@agentpty/protocol/mcp'
import { aside } from '../parts/aside.ts'

export interface Piece {
  readonly text: string
  /** Type Enter after it. */
  readonly enter: boolean
}

/**
 * Splits a text at its carriage returns; one that a line feed follows stays in the text.
 *
 * @example piecesOf('ls\rq') // [{ text: 'ls', enter: true }, { text: 'q', enter: false }]
 */
export function piecesOf(data: string): readonly Piece[] {
  const texts = data.split(/\r(?!\n)/)
  return texts
    .map((text, at) => ({ text, enter: at < texts.length - 1 }))
    .filter(({ text, enter }) => text !== '' || enter)
}

/** Programs that detect pastes take an Enter that follows other input sooner than this for a part of the paste. */
const pasteBurstMs = 160
const pasteEndsMsMax = 250

/** An interrupt must reach a program that does not read what was typed before it. */
const startsWithInterrupt = /^[\x03\x1a\x1c]/

export class InputQueue {
  readonly #queue = new KeyedQueue()

  /** Resolves when all of it is on its way. Errors: `session_not_found`, `session_exited`, `input_full`. */
  async type(terminalId: string, data: string, call: ToolCall): Promise<void> {
    const typing = () => typeAll({ terminalId, call }, piecesOf(data))
    if (startsWithInterrupt.test(data)) return typing()
    return this.#queue.run(terminalId, typing)
  }
}

interface Target {
  readonly terminalId: string
  readonly call: ToolCall
}

async function typeAll(target: Target, pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) await typePiece(target, piece)
}

/** The verb `send` knows when an Enter has to wait for the program, which is seldom. */
async function typePiece(target: Target, { text, enter }: Piece): Promise<void> {
  if (text.includes('\n')) await writeLines(target, text, { enter })
  // An Escape with an Enter right after it would be read as another key.
  else if (text.endsWith('\x1b')) await type(target, text, { enter: false })
  else return type(target, text, { enter })
  if (enter) await type(target, '', { enter })
}

async function type({ terminalId, call }: Target, text: string, { enter }: Pick<Piece, 'enter'>): Promise<void> {
  const { client, signal } = call
  await client.call('send', { terminalId, text, newline: enter, waitFor: 'none' }, { signal })
}

/**
 * Line feeds are written as they are, not as Enters. A program that does not read them must not hold the call up; one
 * that reads has taken them before an Enter follows.
 */
async function writeLines({ terminalId, call }: Target, text: string, { enter }: Pick<Piece, 'enter'>): Promise<void> {
  const { client, signal } = call
  const over = new AbortController()
  const quiet = { waitFor: { quietMs: pasteBurstMs }, waitTimeoutMs: pasteEndsMsMax }
  const writing = client.call('write', { terminalId, data: Buffer.from(text).toString('base64') }, { signal })
  const waiting = aside(client).call(
    'wait',
    { terminalIds: [terminalId], ...quiet },
    { signal: AbortSignal.any([signal, over.signal]) },
  )
  try {
    await Promise.race([waiting, enter ? writing.then(() => waiting) : writing])
  } finally {
    over.abort()
  }
}
