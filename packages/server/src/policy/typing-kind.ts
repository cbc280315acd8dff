/** Programs by what typing into them can do, which is a permission of its own. A table of names, as all of the policy is. */

import type { TypingKind } from '@agentpty/protocol/policy'
import type { Kind } from '@agentpty/protocol/session'

const byName: readonly (readonly [TypingKind, RegExp])[] = [
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

const byKind: Partial<Record<Kind, TypingKind>> = { repl: 'repl', agent: 'agent', menu: 'agent' }

export function typingKindOf(name: string, kind: Kind | null = null): TypingKind {
  const named = byName.find(([, pattern]) => pattern.test(name))
  return named?.[0] ?? (kind === null ? 'other' : (byKind[kind] ?? 'other'))
}
