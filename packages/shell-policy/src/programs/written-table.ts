/** Files that programs write to by options and operands of their own, where the usual forms do not show it. Source: their manuals. */

interface WrittenRow {
  readonly programs: string
  /** Matches the words of the call, joined by blanks. */
  readonly line: RegExp
  readonly options?: RegExp
  /** The index of the first operand that is a file; so are all later ones. */
  readonly from?: number
  /** A prefix before the names of files. */
  readonly prefix?: RegExp
}

// biome-ignore format: a row is a line.
const rows: readonly WrittenRow[] = [
  { programs: 'pip pip3 uv python python3', line: /(^| )(download|wheel|install)\b/, options: /^(d|dest|w|wheel-dir|t|target|prefix|root)$/ },
  { programs: 'cargo gem', line: /^i(nstall)?\b/, options: /^(root|i|install-dir|n|bindir)$/ },
  { programs: 'npm pnpm', line: /./, options: /^(prefix|pack-destination|modules-dir)$/ },
  { programs: 'yq', line: /(^| )(-[a-z]*i|--in-?place)\b/, from: 1 },
  { programs: 'dasel', line: /^(put|delete)\b/, options: /^(f|file)$/ },
  { programs: 'sd', line: /./, from: 2 },
  { programs: 'git', line: /(^| )bundle create /, from: 2 },
  { programs: 'augtool', line: /\b(set|setm|rm|clear|mv|ins|insert|touch)\b/, from: 0, prefix: /^\/files(?=\/)/ },
]

export const writtenRows = new Map(rows.flatMap((row) => row.programs.split(' ').map((name) => [name, row] as const)))
