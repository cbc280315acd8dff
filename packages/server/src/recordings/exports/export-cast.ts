/** Recordings as other files. */

import { type Cast, castHeader, castLine, type ExportOptions } from '@agentpty/protocol/recording'

export interface ExportParts {
  /** Files of fonts, ours first. */
  readonly fonts: () => readonly string[]
  readonly page: () => string
}

export async function* exportCast(
  cast: Cast,
  options: ExportOptions,
  { fonts, page }: ExportParts,
): AsyncGenerator<string | Uint8Array> {
  switch (options.format) {
    case 'cast':
      return yield* exportAsciicast(cast)
    case 'txt':
      return yield* (await import('./export-text.ts')).exportText(cast)
    case 'svg':
      return yield* (await import('./export-svg.ts')).exportSvg(cast, options)
    case 'gif':
      return yield* (await import('./export-gif.ts')).exportGif(cast, options, fonts())
    case 'html':
      return yield* (await import('./export-html.ts')).exportHtml(cast, options, page())
  }
}

/** Version 3, whatever it was. */
function* exportAsciicast({ cols, rows, startedAt, command, title, events }: Cast): Generator<string> {
  yield castHeader({ size: { cols, rows }, startedAt: startedAt ?? 0, command: command ?? '', title })
  let last = 0
  for (const { at, code, data } of events) {
    yield castLine(at - last, code, data)
    last += Math.max(0, Math.round(at - last))
  }
}
