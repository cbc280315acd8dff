/**
 * The time from typing until the caller knows that it is its turn again, in programs that wait in different ways; next to it the
 * program's own time, from typing to the call in which it then waits, as the kernel traces it.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Agentpty, program } from '../lib/agentpty.mjs'
import { sleep, stats } from '../lib/measure.mjs'
import { OwnWaits } from '../lib/own-waits.mjs'

export const defaults = { n: 200, gap: 40, traced: 30 }

/** The program to start, and the input for its turns. `keys` are typed without Enter. */
const programs = {
  bash: { shell: 'bash', types: [': a', ': b'] },
  zsh: { shell: 'zsh', types: [': a', ': b'] },
  // Its own prompt starts git up to three times; bash and zsh are measured with prompts that start nothing.
  fish: { shell: 'fish', types: [': a', ': b'], plain: true },
  'fish with its own prompt': { shell: 'fish', types: [': a', ': b'] },
  python: { command: ['python3', '-q'], types: ['1 + 1', '2 + 2'] },
  sqlite: { command: ['sqlite3'], types: ['select 1;', 'select 2;'] },
  gdb: { command: ['gdb', '-q'], types: ['print 1', 'print 2'] },
  node: { command: ['node'], types: ['1 + 1', '2 + 2'] },
  less: { command: ['less', 'long.txt'], keys: ['j', 'k'] },
  vim: { command: ['vim', '-u', 'NONE', 'long.txt'], keys: ['j', 'k'] },
}

export async function run({ peer, context }, { n, gap, traced }) {
  if (!(peer instanceof Agentpty)) return { skipped: 'does not say whose turn it is' }
  const text = Array.from({ length: 2_000 }, (_, line) => `line ${line}\n`).join('')
  writeFileSync(path.join(context.home, 'long.txt'), text)
  const result = {}
  for (const [name, program] of Object.entries(programs))
    result[name] = { ms: await typeOften(peer, context, program, n) }
  // The trace slows each system call down, so its times are compared only with answers of the same pass.
  const waits = await OwnWaits.start()
  try {
    for (const [name, program] of Object.entries(waits ? programs : {}))
      Object.assign(result[name], await compare(peer, context, program, { n: traced, gap, waits }))
  } finally {
    waits?.stop()
  }
  return result
}

async function typeOften(peer, context, program, n) {
  const typed = await open(peer, context, program)
  const ms = []
  for (let i = 0; i < n; i++) {
    const startedAt = monotonic()
    await typed.type(i)
    ms.push(monotonic() - startedAt)
  }
  await typed.close()
  return stats(ms)
}

/** The answers of some inputs next to the moments at which the program started to wait. */
async function compare(peer, context, program, { n, gap, waits }) {
  const typed = await open(peer, context, program)
  const own = []
  const after = []
  for (let i = 0; i < n; i++) {
    const startedAt = monotonic()
    await typed.type(i)
    const answered = monotonic()
    await sleep(gap)
    const waitsSince = waits.firstAfter(typed.pid, startedAt)
    if (waitsSince === null) throw new Error('the trace shows no wait')
    own.push(waitsSince - startedAt)
    after.push(answered - waitsSince)
  }
  await typed.close()
  return { own: stats(own), after: stats(after), early: after.filter((ms) => ms < 0).length, n }
}

async function open(peer, { home }, { types, keys, plain, ...what }) {
  const env = plain ? { XDG_CONFIG_HOME: plainConfig(home) } : {}
  const wait = { waitFor: 'ready', waitTimeoutMs: 20_000 }
  const { terminalId } = await created(peer, { ...what, env, cwd: home, cols: 80, rows: 24, ...wait })
  const { terminals } = await peer.call('list', {})
  const { pid } = terminals.find((one) => one.terminalId === terminalId)
  const texts = keys ?? types
  return {
    pid,
    async type(i) {
      const text = texts[i % texts.length]
      const { outcome, state } = await peer.call('send', { terminalId, text, newline: keys === undefined, ...wait })
      if (state !== 'ready') throw new Error(`${outcome}: ${state}`)
    },
    close: () => peer.call('close', { terminalId }),
  }
}

/** The policy asks about a variable that chooses configuration; the person who runs the bench allows it. */
async function created(peer, input) {
  try {
    return await peer.call('create', input)
  } catch (error) {
    if (!String(error.message).includes('needs_approval')) throw error
    const words = [program, 'approvals', 'answer', 'all', 'allow']
    execFileSync(process.execPath, words, { env: peer.environment })
    return peer.call('create', input)
  }
}

/** A folder for configuration with a prompt of fish that starts nothing. */
function plainConfig(home) {
  const folder = path.join(home, 'plain')
  mkdirSync(path.join(folder, 'fish'), { recursive: true })
  writeFileSync(path.join(folder, 'fish', 'config.fish'), "function fish_prompt; echo -n '$ '; end\n")
  return folder
}

const monotonic = () => Number(process.hrtime.bigint()) / 1e6
