/**
 * Output bytes as the text a person would have read: progress bars in their last state, backspaces applied, escapes
 * gone, rows that only the screen's width had broken joined again.
 *
 * Rendered, never stripped. Most output only adds text, and is rendered without an emulator; the rest is played on a
 * scratch screen. Both give the same lines where both apply.
 */

import { renderOnScratch } from './render-on-scratch.ts'
import { renderPlain } from './render-plain.ts'
import type { RenderedLine } from './rendered-line.ts'

export type { RenderedLine } from './rendered-line.ts'

export interface RenderOptions {
  readonly cols: number
  /**
   * What stood on the same line before, the prompt for example. It is played first, and the first line begins after it
   * if it is still there unchanged; otherwise the first line is given whole.
   */
  readonly lead?: Uint8Array
}

/**
 * The lines of the output. A last line without text is not one.
 *
 * @example await renderText(Buffer.from('10%\r99%\r\n'), { cols: 80 }) // [{ text: '99%', offset: 0 }]
 */
export async function renderText(bytes: Uint8Array, options: RenderOptions): Promise<readonly RenderedLine[]> {
  const lead = options.lead ?? new Uint8Array(0)
  return renderPlain(bytes, lead) ?? (await renderOnScratch(bytes, { cols: options.cols, lead }))
}
