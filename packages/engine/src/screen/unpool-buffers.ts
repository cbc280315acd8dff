/**
 * Turns Node's buffer pool off until `restoreBufferPool`, for the module that is imported after this one.
 *
 * The grapheme addon decodes its table when it is loaded and reads its header from the start of the underlying buffer.
 * With a pool those bytes belong to another buffer: widths are wrong, or loading fails with "Data error".
 * Remove when https://github.com/xtermjs/xterm.js/issues/6079 is fixed in the version we use.
 */

const poolSize = Buffer.poolSize
Buffer.poolSize = 0

export function restoreBufferPool(): void {
  Buffer.poolSize = poolSize
}
