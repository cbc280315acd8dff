/** The control bytes that escape sequences are made of. All of ECMA-48's names; in UTF-8 a byte below 0x80 is always itself. */

/** ESC as text. */
export const esc = '\x1b'

export const controlByte = {
  bel: 0x07,
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  /** CAN and SUB abort a sequence. */
  can: 0x18,
  sub: 0x1a,
  esc: 0x1b,
  del: 0x7f,
} as const

/** The first byte that is not a C0 control: from here to `0x2f` are the intermediate bytes of an escape sequence. */
export const firstPrintable = 0x20

/** The 8-bit controls (C1) are two bytes in UTF-8: this lead, then less than `c1End`. */
export const c1Lead = 0xc2
export const c1End = 0xa0

/** What ends an OSC, DCS, SOS, PM or APC in an emulator: ESC (of ST or of the next sequence), BEL, CAN, SUB, the 8-bit ST. */
export const stringEnds: readonly Uint8Array[] = [
  [controlByte.esc],
  [controlByte.bel],
  [controlByte.can],
  [controlByte.sub],
  [c1Lead, 0x9c],
].map((end) => Uint8Array.from(end))
