import { baseName } from '../places/paths.ts'

const versioned =
  /^(python|pip|ruby|perl|php|node|lua|pypy|tclsh|guile|gcc|g\+\+|clang|java|go|luajit|bash|zsh|dash|ksh|psql|awk|emacs|gpg)-?\d[\d.]*$/

/** What has neither folder nor version, nor a suffix: most names. */
const bare = /^[a-z]+$/

/** Without its folder and its version. */
export function programName(text: string): string {
  if (bare.test(text) && text !== 'nodejs') return text
  const name = baseName(text).replace(/\.exe$/i, '')
  const family = versioned.exec(name)?.[1]
  if (family !== undefined) return family
  // The module zsh/files has the same programs under names of its own, and `=rm` is the path of rm to zsh.
  return name === 'nodejs' ? 'node' : name.replace(/^(?:zf_|=)/, '')
}
