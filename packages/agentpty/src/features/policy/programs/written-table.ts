/** Files that programs write to by options and operands of their own, where the usual forms do not show it. Source: their manuals. */

interface WrittenRow {
  readonly programs: string
  /** Of its words. */
  readonly line: RegExp
  readonly options?: RegExp
  /** From which of the words that are no options on all are files. */
  readonly from?: number
  /** Stands before the names of files. */
  readonly prefix?: RegExp
}

const byPip = /^(d|dest|w|wheel-dir|t|target|prefix|root)$/

export const writtenRows: readonly WrittenRow[] = [
  { programs: 'pip pip3 uv', line: /(^| )(download|wheel|install)\b/, options: byPip },
  { programs: 'python python3', line: /(^| )-m pip (download|wheel|install)\b/, options: byPip },
  { programs: 'cargo', line: /^install\b/, options: /^root$/ },
  { programs: 'gem', line: /^i(nstall)?\b/, options: /^(i|install-dir|n|bindir)$/ },
  { programs: 'npm pnpm', line: /./, options: /^(prefix|pack-destination|modules-dir)$/ },
  { programs: 'yq', line: /(^| )(-[a-z]*i|--in-?place)\b/, from: 1 },
  { programs: 'dasel', line: /^(put|delete)\b/, options: /^(f|file)$/ },
  { programs: 'sd', line: /./, from: 2 },
  { programs: 'git', line: /(^| )bundle create /, from: 2 },
  { programs: 'augtool', line: /\b(set|setm|rm|clear|mv|ins|insert|touch)\b/, from: 0, prefix: /^\/files(?=\/)/ },
]
