/**
 * The changes of a program that paints the screen: rows with their numbers, instead of a text that has no order.
 *
 * On the alternate screen this is always so. On the normal screen some programs (dialog, top) paint too. Their slice is
 * played on a scratch screen, from some way before, and compared. If that scrolled, it was text after all.
 */

import { pixelSize, type ThemeName, themes, writePng, writeSvg } from '@agentpty/engine/picture'
import { hideSecrets, Screen, type ScreenPicture } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { limitReached, type Offset, scrollbackRows, svgBytesMax } from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { VerbOutput } from '@agentpty/protocol/verbs'

/** Bytes that are played before the slice, so that there is a screen to compare with. */
const leadBytes = 64 * 1024
const paintedBytesMax = 256 * 1024

/** Sequences that set the cursor to a position, instead of moving it along. */
const absoluteMove = /\x1b\[[\d;]*[Hfd]/

/** For comparison afterwards; null unless a full-screen program runs. */
export async function screenBefore(session: Session): Promise<ScreenPicture | null> {
  return session.modes.alternateScreen ? (await session.screen()).picture() : null
}

/** Returns runs of rows that differ in text or style, each below a line with its numbers; all of a picture without unchanged rows. */
export function changedRows(before: ScreenPicture | null, after: ScreenPicture): string {
  const comparable =
    before?.alternateScreen === after.alternateScreen && before.cols === after.cols && before.rows === after.rows
  if (!comparable || before === null) return picture(after.marked)
  const scrolled = rowsScrolled(before.text, after.text)
  const isOther = after.text.map(
    (text, row) => before.text[row + scrolled] !== text || before.styles[row + scrolled] !== after.styles[row],
  )
  if (scrolled === 0 && after.text.every((text, row) => text === '' || isOther[row])) return picture(after.marked)
  // The picture is all new, so its other rows are known to be empty.
  const isNewPicture = isOther.filter(Boolean).length > after.rows / 2
  const rows = runsOf(after.marked, (text, row) => isOther[row] === true && (!isNewPicture || text !== ''))
  return (scrolled === 0 ? rows : [`[scrolled up ${scrolled}]`, ...rows]).join('\n')
}

const picture = (rows: readonly string[]): string => rows.join('\n').trimEnd()

/** Rows by their numbers, counted from 1: `[row 24]`, or `[rows 12-23]`, and their texts. */
function runsOf(rows: readonly string[], isShown: (text: string, row: number) => boolean): readonly string[] {
  const lines: string[] = []
  for (let row = 0; row < rows.length; row++) {
    const begin = row
    while (row < rows.length && isShown(rows[row] ?? '', row)) row++
    if (row === begin) continue
    const numbers = row === begin + 1 ? `row ${row}` : `rows ${begin + 1}-${row}`
    lines.push(`[${numbers}]`, ...rows.slice(begin, row))
  }
  return lines
}

/** By how many rows the old picture moved up, if that explains most of the new one. */
function rowsScrolled(before: readonly string[], after: readonly string[]): number {
  const kept = (by: number) => after.filter((text, row) => text !== '' && before[row + by] === text).length
  const still = kept(0)
  const best = after.map((_, by) => ({ by, kept: kept(by) })).reduce((a, b) => (b.kept > a.kept ? b : a))
  return best.kept > Math.max(2 * still, after.length / 4) ? best.by : 0
}

/** A slice of the normal screen: plain text, a picture, or a picture that scrolled away like text. */
type Painted = 'text' | 'scrolled' | { readonly rows: string }

/** The rows that a slice on the normal screen has repainted. */
export async function paintedRows(session: Session, since: Offset, until: Offset): Promise<Painted> {
  const { log } = session
  if (until - since > paintedBytesMax || since < log.start || session.modes.alternateScreenAt(since)) return 'text'
  const { bytes } = log.read({ since, until })
  if (!absoluteMove.test(Buffer.from(bytes).toString('latin1'))) return 'text'
  const start = Math.max(log.start, since - leadBytes)
  const screen = new Screen({ ...session.size, scrollbackRows, offset: start, version: '', onReply: () => undefined })
  screen.answerQueries = false
  try {
    await play(screen, log.read({ since: start, until: since }).bytes)
    const before = { picture: screen.picture(), scrolled: screen.scrollbackText(scrollbackRows).length }
    await play(screen, bytes)
    const hasScrolled = screen.scrollbackText(scrollbackRows).length !== before.scrolled
    return hasScrolled ? 'scrolled' : { rows: changedRows(before.picture, screen.picture()) }
  } finally {
    screen.dispose()
  }
}

function play(screen: Screen, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => screen.feed(bytes, resolve))
}

// A screen as a picture: an SVG, or a PNG where the renderer is there.

interface PictureOptions {
  readonly format: 'svg' | 'png'
  readonly theme: ThemeName
  /** Rows of scrollback above the screen. */
  readonly lines: number
  /** Nothing of these is drawn; null where the caller may see them. */
  readonly secrets: SecretValues | null
  /** Files of fonts, for a PNG. */
  readonly fonts: readonly string[]
}

/** Errors: `limit_reached` where it is too large; `machine_unfit` for a PNG without the renderer. */
export async function pictureOf(
  screen: Screen,
  { format, theme, lines, secrets, fonts }: PictureOptions,
): Promise<NonNullable<VerbOutput<'screenshot'>['image']>> {
  // Parts that may still become a secret are as visible as in the text.
  const cells = screen.cells(lines, secrets === null ? undefined : hideSecrets(secrets, false).hide)
  const svg = writeSvg(cells, themes[theme])
  if (svg.length > svgBytesMax)
    throw limitReached(
      `The picture would have ${svg.length} bytes, and may have ${svgBytesMax}.`,
      'Ask for fewer lines or for the text, or make the terminal smaller.',
    )
  const size = pixelSize(cells)
  if (format === 'svg') return { mimeType: 'image/svg+xml', data: svg, ...size }
  const withSystemFonts = cells.cells.some((row) => row.some(({ width }) => width > 1))
  const { bytes, ...drawn } = await writePng(svg, size, { fonts, withSystemFonts })
  return { mimeType: 'image/png', data: Buffer.from(bytes).toString('base64'), ...drawn }
}
