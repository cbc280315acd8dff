/** Recorded bytes on our own screen, and as text. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderText, Screen } from '@agentpty/engine/screen'
import type { ScreenSnapshot } from '@agentpty/engine/testing'

export interface Golden {
  readonly folder: string
  readonly cols: number
  readonly rows: number
  readonly lineWise: boolean
  readonly bytes: Buffer
}

export function loadGolden(name: string): Golden {
  const folder = join(import.meta.dirname, name)
  const about = JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8'))
  return { folder, ...about, bytes: readFileSync(join(folder, 'output.raw')) }
}

export async function replay({ cols, rows }: Golden, chunks: readonly Uint8Array[]): Promise<ScreenSnapshot> {
  const screen = new Screen({ cols, rows, scrollbackRows: 100, offset: 0, version: '0', onReply: () => {} })
  const feeds = chunks.map((chunk) => new Promise<void>((parsed) => screen.feed(chunk, parsed)))
  await Promise.all(feeds)
  const snapshot = screen.snapshot()
  screen.dispose()
  return snapshot
}

/** The rows, followed by properties that are not visible in them. */
export function drawn({ text, cursor, title, alternateScreen }: ScreenSnapshot): string {
  const about = [
    `cursor at row ${cursor.row}, column ${cursor.col}${cursor.visible ? '' : ', hidden'}`,
    ...(alternateScreen ? ['alternate screen'] : []),
    ...(title === '' ? [] : [`title "${title}"`]),
  ]
  return `${text.join('\n')}\n--- ${about.join('; ')}\n`
}

export async function asText({ bytes, cols }: Golden): Promise<string> {
  return `${(await renderText(bytes, { cols })).map((line) => line.text).join('\n')}\n`
}

/** Splits the bytes into pieces of 1 to 50, reproducibly by the seed. */
export function inPieces(bytes: Buffer, seed: number): readonly Buffer[] {
  const pieces: Buffer[] = []
  let state = seed
  for (let at = 0; at < bytes.length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    const length = 1 + ((state >> 8) % 50)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}
