/**
 * Lines of output that needs a terminal to be read, from a scratch screen.
 *
 * The scratch screen is taller than real ones, so that programs that repaint their last rows find them, and its rows
 * are taken away as they scroll off for good, so any number of them can be rendered. Making one takes a millisecond;
 * a few are kept for the next time.
 */

import type { RenderedLine } from './rendered-line.ts'
import { ScratchScreen } from './scratch-screen.ts'

export interface ScratchOptions {
  readonly cols: number
  readonly lead: Uint8Array
}

const idleMax = 2
const idle: ScratchScreen[] = []

export async function renderOnScratch(bytes: Uint8Array, options: ScratchOptions): Promise<readonly RenderedLine[]> {
  const scratch = idle.pop() ?? new ScratchScreen()
  const lines = await scratch.render(bytes, options)
  if (idle.length < idleMax) idle.push(scratch)
  else scratch.dispose()
  return lines
}
