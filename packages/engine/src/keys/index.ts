export { encodeKeys } from './encode-keys.ts'
export { encodeText, type TextOptions, textOptions, typedText } from './encode-text.ts'
export { keyAliases, keyTable } from './key-table.ts'
export { runLines } from './run-lines.ts'
