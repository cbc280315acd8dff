export { apart, escapesIn, maskSpans } from './mask-spans.ts'
export {
  secretCharactersMax,
  secretCharactersMin,
  secretHeldBytesMax,
  secretHeldMs,
  secretLeadBytes,
  secretsMax,
} from './secret-limits.ts'
export { keyShape, maskShapes, mayHoldShapes, wordShapes } from './secret-shapes.ts'
export { maskOf, type SecretSpan, type SecretValues } from './secret-values.ts'
