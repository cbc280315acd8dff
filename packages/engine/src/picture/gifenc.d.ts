/** The types of the parts that we use of a package without types. */
declare module 'gifenc' {
  export type Palette = (readonly [number, number, number])[]
  export interface Encoder {
    readonly stream: { reset(): void }
    bytes(): Uint8Array
    finish(): void
    writeFrame(
      indexes: Uint8Array,
      width: number,
      height: number,
      options: {
        readonly palette: Palette
        readonly delay: number
        readonly dispose?: number
        readonly repeat?: number
      },
    ): void
  }
  const gifenc: {
    GIFEncoder(): Encoder
    quantize(rgba: Uint8Array, colors: number): Palette
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array
    snapColorsToPalette(palette: Palette, known: Palette, threshold?: number): void
  }
  export default gifenc
}
