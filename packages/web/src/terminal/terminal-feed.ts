/**
 * What a viewer needs of one terminal: a picture of it as it stands, and then everything that its program prints. It begins with a new
 * picture whenever the size changes, so that bytes are never drawn at a size for which they were not meant.
 */

import type { Frame } from '../../../agentpty/src/contracts/session/events.ts'
import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'

export interface ViewSize {
  readonly cols: number
  readonly rows: number
}

export type FeedEvent =
  /** Everything before does not count. `text` draws the screen on a terminal of this size that was reset. */
  | { readonly type: 'picture'; readonly size: ViewSize; readonly text: string; readonly title: string }
  | { readonly type: 'output'; readonly bytes: Uint8Array }
  /** Its program has ended: nothing more comes. */
  | { readonly type: 'ended' }

/** As large as a terminal can be: the window shows all of it. */
const wholeWindow = { cols: 1_000, rows: 500, isPinned: true }
/** The smallest window: it only tells of the size. */
const tinyWindow = { cols: 1, rows: 1, isPinned: true }
const scrollbackLines = 1_000

/** Ends with the terminal or the signal. Errors: those of `follow`. */
export async function* feedOf(
  client: WireClient,
  terminalId: string,
  signal: AbortSignal,
): AsyncGenerator<FeedEvent, void> {
  for (;;) {
    const frame = await frameOf(client, terminalId, signal)
    if (frame === null) return
    yield { type: 'picture', size: frame.size, text: await pictureOf(client, terminalId, frame), title: frame.title }
    const over = new AbortController()
    const either = AbortSignal.any([over.signal, signal])
    // The stream of output ends with it. What the size is by then, the next picture shows.
    void resized(client, terminalId, { size: frame.size, signal: either })
      .then((isResized) => isResized && over.abort())
      .catch(() => over.abort())
    for await (const event of client.follow(terminalId, { output: { since: frame.at }, signal: either })) {
      // What this page was too slow for is not drawn at all: it goes on from a new picture.
      if (event.type === 'output' && event.missedBytes > 0) break
      if (event.type === 'output') yield { type: 'output', bytes: event.bytes }
      if (event.type === 'exit') {
        over.abort()
        yield { type: 'ended' }
        return
      }
    }
    over.abort()
    if (signal.aborted) return
  }
}

async function frameOf(client: WireClient, terminalId: string, signal: AbortSignal): Promise<Frame | null> {
  for await (const event of client.follow(terminalId, { frames: wholeWindow, signal }))
    if (event.type === 'frame') return event
  return null
}

/** Whether it has got another size; false when nothing more comes. */
async function resized(
  client: WireClient,
  terminalId: string,
  { size, signal }: { readonly size: ViewSize; readonly signal: AbortSignal },
): Promise<boolean> {
  for await (const event of client.follow(terminalId, { frames: tinyWindow, signal }))
    if (event.type === 'frame' && (event.size.cols !== size.cols || event.size.rows !== size.rows)) return true
  return false
}

async function pictureOf(client: WireClient, terminalId: string, frame: Frame): Promise<string> {
  const textWith = (lines: number) => client.call('screenshot', { terminalId, format: 'plain', lines })
  const [shown, all] = await Promise.all([textWith(0), textWith(scrollbackLines)])
  const isAlternate = shown.alternateScreen === true
  const above = isAlternate ? [] : linesAbove(all.screen, shown.screen)
  const lines = new Map(frame.rows)
  const rows = Array.from({ length: frame.size.rows }, (_, row) => `${lines.get(row) ?? ''}\x1b[m`)
  const modes = frame.modes.map((mode) => `\x1b[?${mode}h`).join('')
  const { cursor } = frame
  const place = cursor === null ? '\x1b[?25l' : `\x1b[${cursor.row + 1};${cursor.col + 1}H`
  return `${isAlternate ? '\x1b[?1049h' : ''}${[...above, ...rows].join('\r\n')}${modes}${place}`
}

/** What has left the screen: the text with it, without that of the screen, at whose end it is. */
function linesAbove(all: string, shown: string): readonly string[] {
  const above = all.endsWith(shown) ? all.slice(0, all.length - shown.length) : ''
  return above === '' ? [] : above.replace(/\n$/, '').split('\n')
}
