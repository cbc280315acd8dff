/** make: recipes that are on the line or were written earlier. */

import type { Program, Programs, Shell } from '../walk/shell.ts'
import { type Arg, hasTaint, isKnown, taints, unknownStream } from '../walk/value.ts'
import { readOptions, valuesOf } from './options.ts'

const make: Program = (call, shell) => {
  const options = readOptions(call.args, {
    valued:
      'f file makefile C directory j jobs l load-average I include-dir o old-file W what-if eval E new-file assume-new',
  })
  for (const text of valuesOf(options, 'eval', 'E')) judgeRecipes(text, shell)
  for (const path of valuesOf(options, 'f', 'file', 'makefile')) {
    const resolved = shell.resolve(path.text)
    const content =
      path.text === '-' || path.text === '/dev/stdin'
        ? call.stdin
        : resolved === null
          ? unknownStream(path.taint)
          : shell.state.files.get(resolved)
    if (content !== undefined) judgeRecipes({ ...content, isGlob: false }, shell)
  }
  for (const { text, taint } of options.operands) {
    const found = /^(SHELL|CC|CXX|LD|AR|MAKE|RM|INSTALL|[A-Z_]*CMD)[:?]?=(.*)$/s.exec(text)
    if (found?.[2] === undefined) continue
    if (found[1] === 'SHELL' && /^(\/usr)?(\/local)?(\/bin\/)?(ba|z|da|k)?sh$/.test(found[2])) continue
    shell.runSmuggled({ text: found[2], taint, isGlob: false })
  }
  return unknownStream()
}

/** The recipes of a makefile that is known. */
function judgeRecipes({ text, taint }: Arg, shell: Shell): void {
  if (!isKnown({ text }))
    shell.report(
      hasTaint({ taint }, taints.network) ? 'D2' : hasTaint({ taint }, taints.decoded) ? 'D2' : 'Q2',
      hasTaint({ taint }, taints.network)
        ? 'remote-code'
        : hasTaint({ taint }, taints.decoded)
          ? 'encoded-payload'
          : 'unresolved',
    )
  for (const line of text.split('\n').slice(0, 500)) {
    const recipe =
      /^\t[@+-]*(.+)$/.exec(line)?.[1] ??
      /^[^\t:#=]+::?[^;=]*;\s*[@+-]*(.+)$/.exec(line)?.[1] ??
      /\$\(shell (.+)\)/.exec(line)?.[1] ??
      /!=\s*(.+)$/.exec(line)?.[1]
    if (recipe !== undefined) shell.subshell().runCode({ text: recipe.replaceAll('$$', '$'), taint, isGlob: false })
  }
}

export const makePrograms: Programs = {
  make,
  gmake: make,
  ninja: make,
}
