/** Subscripts of arrays, which builtins evaluate although they stand in quotes: `test -v 'a[$(cmd)]'`. */

import type { Shell } from '../shell.ts'
import { type Arg, arg } from '../value.ts'

const evaluating: ReadonlySet<string> = new Set(
  'let test [ printf unset read declare typeset local export readonly mapfile readarray'.split(' '),
)

export function runSubscripts(name: string, args: readonly Arg[], shell: Shell): void {
  if (!evaluating.has(name)) return
  // Elsewhere it is a text.
  if (/^(test|\[|printf)$/.test(name) && !args.some(({ text }) => text === '-v')) return
  for (const { text, taint } of args) {
    if (!/\[[^\]]*[$`]/.test(text) || text.length > 4_096) continue
    for (const [, inner, older] of text.matchAll(/\$\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`/g))
      shell.inSubshell(() => shell.runCode({ ...arg(inner ?? older ?? ''), taint }))
  }
}
