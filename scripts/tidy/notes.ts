/** Notes for later. */
import { type Problem, problemsAt, type SourceFile } from './source.ts'

/** A note for later must lead somewhere: `TODO(#12)` or `TODO #12`. */
export function todoRule(files: readonly SourceFile[]): Problem[] {
  const message = 'a note for later needs an issue number, like TODO(#12); or do it now'
  return files
    .filter((file) => /\.(ts|mjs|c|h|md)$/.test(file.path) && !file.path.startsWith('scripts/tidy'))
    .flatMap((file) => problemsAt(file, file.text, /\b(TODO|FIXME|XXX)\b(?!\s*\(?#\d+)/g, message))
}
