/**
 * The grammar of escape sequences as parts of regular expressions, for text that is whole or nearly so. Bytes that arrive
 * split anywhere are for {@link SequenceScanner}.
 */

/** Parameters, intermediates and the final byte of a control sequence, all after its `ESC [`. */
export const csiParameters = '[0-?]*[ -/]*'
export const csi = String.raw`\x1b\[${csiParameters}[@-~]`

/** The begin of a string: OSC, DCS, SOS, PM, APC. */
export const stringBegin = String.raw`\x1b[\]PX^_]`
/** ST, or BEL, which ends an OSC and is taken for the end of the others too: a string that is never ended hides all text. */
export const stringEnd = String.raw`(?:\x07|\x1b\\)`

/** The other sequences: intermediates and a final byte. It matches what begins a string or a CSI too, so it must be tried last. */
export const single = String.raw`\x1b[ -/]*[0-~]`
/** The same without the begin of a string or a CSI: for text whose end may still be missing. */
export const wholeSingle = '\\x1b[ -/]*[0-OQ-WYZ`-~]'

/** Controls with 8 bits, in UTF-8 that was read as Latin1. */
export const c1InLatin1 = String.raw`\xc2[\x80-\x9f]`

/** Any sequence. A string without an end goes on to the end of its line, and not farther. */
export const sequence = String.raw`${stringBegin}[^\x07\x1b\n]*(?:${stringEnd}|$)|${csi}|${single}`
