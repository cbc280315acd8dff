/** Programs by what typing into them can do, which is a permission of its own. A table of names, as all of the policy is. */

import type { Kind } from '../../contracts/session/verdict.ts'

export const programClasses = ['repl', 'editor', 'database', 'remote', 'agent', 'other'] as const
export type ProgramClass = (typeof programClasses)[number]

const byName: readonly (readonly [ProgramClass, RegExp])[] = [
  [
    'remote',
    /^(ssh|mosh-client|plink|dbclient|telnet|rlogin|docker|podman|nerdctl|kubectl|lxc|machinectl|virsh|cu|minicom|picocom|tio)$/,
  ],
  [
    'database',
    /^(psql|pgcli|mysql|mariadb|mycli|sqlite3?|litecli|redis-cli|mongosh?|duckdb|sqlplus|sqlcmd|cqlsh|influx|clickhouse.*)$/,
  ],
  ['editor', /^(vim?|nvim|vim\.\w+|view|ex|ed|emacs.*|nano|pico|micro|joe|jed|mg|ne|kak|hx|helix|mcedit)$/],
]

const byKind: Partial<Record<Kind, ProgramClass>> = { repl: 'repl', agent: 'agent', menu: 'agent' }

export function programClassOf(name: string, kind: Kind | null = null): ProgramClass {
  const named = byName.find(([, pattern]) => pattern.test(name))
  return named?.[0] ?? (kind === null ? 'other' : (byKind[kind] ?? 'other'))
}
