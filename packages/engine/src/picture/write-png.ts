/** An SVG picture of ours as PNG, or as its pixels. The renderer is a package of its own that need not be there. */

import { pictureBytesMax, pictureSidePixelsMax, TermError } from '@agentpty/protocol'
import type { RenderedImage, ResvgRenderOptions } from '@resvg/resvg-js'
import type { PixelSize } from './write-svg.ts'

export interface PngOptions {
  /** Files of fonts, TTF or OTF, the first of them ours. */
  readonly fonts: readonly string[]
  /** Those of the machine, too: for characters that ours lack. */
  readonly withSystemFonts: boolean
}

export interface Png extends PixelSize {
  readonly bytes: Uint8Array
}

export interface Pixels extends PixelSize {
  /** Red, green, blue and alpha of each, row by row. */
  readonly rgba: Uint8Array
}

/** Of a step at which a picture is made smaller, until it is small enough. */
const shrink = 0.7
const attemptsMax = 6

/** Within the bounds of pictures, scaled down where it is larger. Errors: `environment` without the renderer. */
export async function writePng(svg: string, size: PixelSize, options: PngOptions): Promise<Png> {
  const largest = Math.max(size.width, size.height)
  let scale = Math.min(1, pictureSidePixelsMax / largest)
  for (let attempt = 1; ; attempt += 1) {
    const image = await render(svg, { width: Math.max(1, Math.round(size.width * scale)), options })
    const bytes = image.asPng()
    if (bytes.length <= pictureBytesMax || attempt === attemptsMax)
      return { bytes, width: image.width, height: image.height }
    scale *= shrink
  }
}

/** At its full size. Errors: `environment` without the renderer. */
export async function drawPixels(svg: string, { width }: PixelSize, options: PngOptions): Promise<Pixels> {
  const image = await render(svg, { width, options })
  return { rgba: image.pixels, width: image.width, height: image.height }
}

async function render(
  svg: string,
  { width, options }: { readonly width: number; readonly options: PngOptions },
): Promise<RenderedImage> {
  const { renderAsync } = await renderer()
  const settings: ResvgRenderOptions = {
    fitTo: { mode: 'width', value: width },
    font: {
      fontFiles: [...options.fonts],
      loadSystemFonts: options.withSystemFonts,
      defaultFontFamily: 'DejaVu Sans Mono',
      monospaceFamily: 'DejaVu Sans Mono',
    },
  }
  return renderAsync(svg, settings)
}

/** Loaded when the first picture is drawn. */
async function renderer() {
  try {
    return await import('@resvg/resvg-js')
  } catch (error) {
    throw new TermError(
      'environment',
      `Pictures need the package @resvg/resvg-js, which cannot be loaded: ${(error as Error).message.split('\n')[0]}.`,
      'Install it beside agentpty (npm install -g @resvg/resvg-js@2.6.2), or take the format svg, which needs nothing.',
    )
  }
}
