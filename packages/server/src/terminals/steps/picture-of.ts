/** A screen as a picture: an SVG, or a PNG where the renderer is there. */

import { pixelSize, type ThemeName, themes, writePng, writeSvg } from '@agentpty/engine/picture'
import { hideSecrets, type Screen } from '@agentpty/engine/screen'
import { svgBytesMax, TermError } from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { VerbOutput } from '@agentpty/protocol/verbs'

export interface PictureOptions {
  readonly format: 'svg' | 'png'
  readonly theme: ThemeName
  /** Rows of scrollback above the screen. */
  readonly lines: number
  /** Nothing of these is drawn; null where the caller may see them. */
  readonly secrets: SecretValues | null
  /** Files of fonts, for a PNG. */
  readonly fonts: readonly string[]
}

/** Errors: `limit_reached` where it is too large; `environment` for a PNG without the renderer. */
export async function pictureOf(
  screen: Screen,
  { format, theme, lines, secrets, fonts }: PictureOptions,
): Promise<NonNullable<VerbOutput<'screenshot'>['image']>> {
  // What may still become a secret is as visible as in the text.
  const cells = screen.cells(lines, secrets === null ? undefined : hideSecrets(secrets, false).hide)
  const svg = writeSvg(cells, themes[theme])
  if (svg.length > svgBytesMax)
    throw new TermError(
      'limit_reached',
      `The picture would have ${svg.length} bytes, and may have ${svgBytesMax}.`,
      'Ask for fewer lines or for the text, or make the terminal smaller.',
    )
  const size = pixelSize(cells)
  if (format === 'svg') return { mimeType: 'image/svg+xml', data: svg, ...size }
  const withSystemFonts = cells.cells.some((row) => row.some(({ width }) => width > 1))
  const { bytes, ...drawn } = await writePng(svg, size, { fonts, withSystemFonts })
  return { mimeType: 'image/png', data: Buffer.from(bytes).toString('base64'), ...drawn }
}
