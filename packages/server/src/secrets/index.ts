/** Masking of secrets in text, frames and streams. Other modules import this file alone. */

export { maskedEvents } from './masked-events.ts'
export { Secrets } from './secrets.ts'
export { StreamMask } from './stream-mask.ts'
