/**
 * The cost of showing all terminals in one view: CPU of the daemon and of ptyhost, in percent of a core, with no viewer
 * and with one.
 *
 *   npm run bench:overview                              1,000 terminals of which 240 print a line a second
 *   npm run bench:overview -- --terminals 200 --busy 50 --seconds 10
 */

import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Instance } from '../../tests/harness/instance.ts'

const { values } = parseArgs({
  options: {
    terminals: { type: 'string', default: '1000' },
    busy: { type: 'string', default: '240' },
    seconds: { type: 'string', default: '20' },
  },
})
const [terminals, busy, seconds] = [values.terminals, values.busy, values.seconds].map(Number)
if (terminals === undefined || busy === undefined || seconds === undefined) throw new Error('numbers, please')

const instance = new Instance()
const client = await instance.rpc({ AGENTPTY_SESSIONS_MAX: String(terminals) }, { isPerson: true })
const prints = ['perl', '-e', '$| = 1; $n = 0; while (1) { print ++$n, "\n"; select undef, undef, undef, 1 }']
for (let made = 0; made < terminals; made += 1)
  await client.call('create', { command: made < busy ? prints : ['cat'], waitFor: 'none' })
const { daemon, host } = await client.control.status()

/** The process only. Clock ticks are a hundredth of a second. */
function ticks(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may hold spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

async function measure(what: string): Promise<void> {
  await setTimeout(5_000)
  const before = [ticks(daemon.pid), ticks(host.pid)]
  await setTimeout((seconds ?? 0) * 1_000)
  const after = [ticks(daemon.pid), ticks(host.pid)]
  const [own, hosts] = after.map((now, at) => ((now - (before[at] ?? 0)) / (seconds ?? 1)).toFixed(1))
  process.stdout.write(`${what}: daemon ${own} %, ptyhost ${hosts} % of a core\n`)
}

process.stdout.write(`${terminals} terminals, ${busy} of them print a line a second, ${seconds} s each\n`)
await measure('no viewer')
const watching = new AbortController()
let events = 0
let rows = 0
let bytes = 0
const watched = (async () => {
  for await (const event of client.watch({ overview: true, signal: watching.signal })) {
    events += 1
    rows += event.terminals.length
    bytes += JSON.stringify(event).length
  }
})()
await setTimeout(10_000)
;[events, rows, bytes] = [0, 0, 0]
await measure('one watches')
const each = (count: number): string => (count / ((seconds ?? 1) + 5)).toFixed(1)
process.stdout.write(`${each(events)} events, ${each(rows)} rows and ${each(bytes / 1_000)} KB a second\n`)
watching.abort()
await watched
await instance.stop()
