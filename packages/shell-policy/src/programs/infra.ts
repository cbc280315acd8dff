/** Command lines of tools for shared state, by the table. */

import { isBelow } from '../places/paths.ts'
import type { Shell } from '../walk/shell.ts'
import { type Arg, arg, joinedArgs, type Taint, taints, unknownStream } from '../walk/value.ts'
import { infraTable, unknownTable } from './infra-table.ts'
import { isExistingCommand } from './reading.ts'

type Row = (typeof infraTable)[number]

const byProgram = new Map<string, Row[]>()
for (const row of infraTable)
  for (const name of row[0].split(' ')) byProgram.set(name, [...(byProgram.get(name) ?? []), row])

/** Options before the words, with their values. */
const leading =
  /^(?:(?:-[nCHc]|--(?:namespace|context|profile|region|project|kubeconfig|cwd|prefix|filter|subscription|output|host|app|org|account))[ =]\S+ |--?[\w-]+(?:=\S*)? )+/
const lineMax = 8_000 // characters of a line that are searched; the deciding words are at its beginning

/** Returns what the output is tainted with. */
export function judgeInfra(name: string, args: readonly Arg[], isUnknown: boolean, shell: Shell): Taint {
  if (databases.test(name))
    for (const { text, taint } of args) {
      if (destroysData(text) && !isKeptFile(name, args, shell)) shell.report('Q1', 'destructive-infra')
      for (const [, path = ''] of text.slice(0, lineMax).matchAll(writesFile))
        shell.write({ ...arg(path), taint }, unknownStream())
    }
  const rows = byProgram.get(name) ?? (isUnknown && !isExistingCommand(name) ? unknownTable : undefined)
  if (rows === undefined) return taints.none
  const line = joinedArgs(args).text.slice(0, lineMax)
  if (/(^| )(--dry-run(=(client|server|true))?|--help|-h)( |$)/.test(line)) return taints.none
  const bare = line.replace(leading, '')
  const matching = rows.filter(([, pattern]) => pattern.test(bare) || pattern.test(line))
  for (const [, , code, rule] of matching) shell.report(code, rule)
  return matching.some(([, , , rule]) => rule === 'credential-read') ? taints.secret : taints.none
}

/** A database that is a file, which a gate keeps before it is changed. */
function isKeptFile(name: string, args: readonly Arg[], shell: Shell): boolean {
  const file = /^(sqlite3|duckdb)$/.test(name) ? args.find(({ text }) => !text.startsWith('-')) : undefined
  const path = file === undefined ? null : shell.resolve(file.text)
  return path !== null && isBelow(path, shell.state.workspace) && shell.state.gate?.isKept(path) === true
}

/** Commands of databases and clauses of SQL that write a file. */
const writesFile =
  /(?:\b(?:to|into|outfile|dumpfile)\s+|^\.(?:output|once|backup|save|clone|excel|log|trace)\s+)'?([~./][^'\s]*)/gi

const databases =
  /^(psql|mysql|mariadb|sqlite3|cqlsh|clickhouse-client|duckdb|usql|pgcli|mycli|sqlcmd|bq|snowsql|influx|cockroach|turso)$/

/** Returns whether SQL drops or empties something; the content of its strings is data. */
export function destroysData(text: string): boolean {
  if (text.length > 50_000) return true
  const bare = text.replace(/'[^']*'/g, "''").replace(/--[^\n]*/g, '')
  if (
    /\b(drop\s+(table|database|schema|view|index|user|role|column|keyspace|tablespace|collection|type|function|sequence|extension|measurement|series|materialized)|truncate\b|flush(all|db)|alter\s+table\s+\S+\s+drop|alter\s+(user|role)|grant\s+all|drop\s+owned)/i.test(
      bare,
    )
  )
    return true
  return (
    /\bdelete\s+from\s+\S+\s*(;|$)/i.test(bare) || (/\bupdate\s+\S+\s+set\b/i.test(bare) && !/\bwhere\b/i.test(bare))
  )
}
