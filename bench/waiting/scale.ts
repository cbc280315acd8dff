/**
 * The cost of tracking the turn in very many followed terminals: at rest, and while all are busy.
 *
 *   node --import tsx bench/waiting/scale.ts [SESSIONS]
 */

import { setMaxListeners } from 'node:events'
import type { openEngine as Open } from 'agentpty'

const built: string = '../../packages/agentpty/dist/index.js'
process.env['AGENTPTY_SESSIONS_MAX'] = '2000'
const { openEngine } = (await import(built)) as { openEngine: typeof Open }
const count = Number(process.argv[2] ?? 1_000)
const seconds = 5
const atOnce = 50

const engine = await openEngine({ profile: 'trusted', approve: () => true })

interface Group {
  readonly ids: readonly string[]
  /** Stops following. */
  readonly stop: () => void
}

/** Opens the sessions and follows each, until it has reached this state. */
async function openGroup(command: readonly string[], state: string): Promise<Group> {
  const ids: string[] = []
  const enough = new AbortController()
  setMaxListeners(0, enough.signal)
  for (let at = 0; at < count; at += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - at) }, async () => {
      const { terminalId } = await engine.client.call('create', { command: [...command], waitFor: 'none' })
      ids.push(terminalId)
      await follow(terminalId, state, enough.signal)
    })
    await Promise.all(batch)
  }
  return { ids, stop: () => enough.abort() }
}

function follow(terminalId: string, state: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const reading = async () => {
      for await (const event of engine.client.follow(terminalId, { turn: true, signal }))
        if (event.type === 'turn' && event.verdict.state === state) resolve()
    }
    reading().catch(reject)
  })
}

async function measure(label: string): Promise<void> {
  const settle = 3_000
  await new Promise((resolve) => setTimeout(resolve, settle))
  const before = await engine.turnCosts()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  const after = await engine.turnCosts()
  const share = (after.cpuMs - before.cpuMs) / (seconds * 10)
  process.stdout.write(
    `${label}: ${after.samples - before.samples} samples in ${seconds} s, ${share.toFixed(2)} % of a core\n`,
  )
}

async function closeGroup({ ids, stop }: Group): Promise<void> {
  stop()
  for (let at = 0; at < ids.length; at += atOnce)
    await Promise.all(ids.slice(at, at + atOnce).map((terminalId) => engine.client.call('close', { terminalId })))
}

const resting = await openGroup(['cat'], 'ready')
await measure(`${count} at rest`)
await closeGroup(resting)
const busy = await openGroup(['sleep', '1000'], 'busy')
await measure(`${count} busy`)
await closeGroup(busy)
await engine.close()
