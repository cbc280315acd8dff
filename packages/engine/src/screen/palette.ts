/** The 256 colours that programs name by a number: sixteen that a theme decides, a cube of 6 × 6 × 6 from 16 on, 24 greys from 232 on. */

export function paletteColor(named: readonly string[], color: number): string | null {
  if (color < 16) return named[color] ?? null
  if (color >= 232) return rgb([8 + (color - 232) * 10, 8 + (color - 232) * 10, 8 + (color - 232) * 10])
  const index = color - 16
  return rgb(
    [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((step) => (step === 0 ? 0 : 55 + step * 40)),
  )
}

const rgb = (parts: readonly number[]): string => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
