/**
 * Typed → the caller knows that it is its turn again, in programs that wait in different ways, beside the program's own time:
 * from the typing to the call in which the program then waits, as the kernel traces it.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { sleep, stats } from '../lib/measure.mjs'
import { OwnWaits } from '../lib/own-waits.mjs'

export const defaults = { n: 60, gap: 40 }

/** What is started, and what is typed in turns. `keys` are typed without Enter. */
const programs = {
  bash: { shell: 'bash', types: [': a', ': b'] },
  zsh: { shell: 'zsh', types: [': a', ': b'] },
  fish: { shell: 'fish', types: [': a', ': b'] },
  python: { command: ['python3', '-q'], types: ['1 + 1', '2 + 2'] },
  sqlite: { command: ['sqlite3'], types: ['select 1;', 'select 2;'] },
  gdb: { command: ['gdb', '-q'], types: ['print 1', 'print 2'] },
  node: { command: ['node'], types: ['1 + 1', '2 + 2'] },
  less: { command: ['less', 'long.txt'], keys: ['j', 'k'] },
  vim: { command: ['vim', '-u', 'NONE', 'long.txt'], keys: ['j', 'k'] },
}

export async function run({ peer, context }, { n, gap }) {
  writeFileSync(
    path.join(context.home, 'long.txt'),
    Array.from({ length: 2_000 }, (_, line) => `line ${line}\n`).join(''),
  )
  const waits = await OwnWaits.start()
  const result = {}
  try {
    for (const [name, program] of Object.entries(programs)) {
      result[name] = await measure(peer, context, program, { n, gap, waits }).catch((error) => ({
        error: error.message,
      }))
    }
  } finally {
    waits?.stop()
  }
  return result
}

async function measure(peer, { home }, { types, keys, ...what }, { n, gap, waits }) {
  const wait = { waitFor: 'ready', waitTimeoutMs: 20_000 }
  const { terminalId } = await peer.call('create', { ...what, cwd: home, cols: 80, rows: 24, ...wait })
  const { terminals } = await peer.call('list', {})
  const { pid } = terminals.find((one) => one.terminalId === terminalId)
  const texts = keys ?? types
  const ms = []
  const own = []
  let early = 0
  for (let i = 0; i < n; i++) {
    const text = texts[i % texts.length]
    const begun = monotonic()
    const reply = await peer.call('send', { terminalId, text, newline: keys === undefined, ...wait })
    const heard = monotonic()
    if (reply.state !== 'ready') throw new Error(`${reply.outcome}: ${reply.state}`)
    ms.push(heard - begun)
    await sleep(gap)
    const waitsSince = waits?.firstAfter(pid, begun) ?? null
    if (waitsSince === null) continue
    own.push(waitsSince - begun)
    if (waitsSince > heard) early += 1
  }
  await peer.close({ terminalId })
  return { ms: stats(ms), own: stats(own), early, n }
}

const monotonic = () => Number(process.hrtime.bigint()) / 1e6
