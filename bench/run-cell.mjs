/**
 * One peer in one scenario, in a separate process: `node bench/run-cell.mjs PEER SCENARIO '{"n":200}'`.
 *
 * Prints one JSON line. Afterwards no process is left: this process's children are ended, and all processes with one of the
 * private HOMEs in their environment, but no others.
 */
import { loadAverage, now, round } from './lib/measure.mjs'
import { allPids, descendants, environment, kill } from './lib/processes.mjs'
import { makeHome, remove } from './lib/workspace.mjs'

const [peerName, scenarioName, optionText = '{}'] = process.argv.slice(2)
const { make } = await import(`./peers/${peerName}.mjs`)
const { run, defaults } = await import(`./scenarios/${scenarioName}.mjs`)
const options = { ...defaults, ...JSON.parse(optionText) }

const homes = []
const makeContext = () => {
  const home = makeHome()
  homes.push(home)
  return { home }
}

process.on('SIGTERM', () => {
  cleanUp()
  process.exit(143)
})

const load = loadAverage()
const startedAt = now()
const result = await measure().catch((error) => ({ error: String(error.message).slice(0, 500) }))
process.stdout.write(
  `${JSON.stringify({ peer: peerName, scenario: scenarioName, load, tookMs: round(now() - startedAt, 0), result })}\n`,
)
cleanUp()
process.exit(result.error ? 1 : 0)

async function measure() {
  const context = makeContext()
  const peer = await make(context)
  if (peer.scenarios) return peer.scenarios[scenarioName]?.(options) ?? { skipped: 'does not apply' }
  // These start and stop the peer themselves: that is what they measure.
  if (['cold', 'warm', 'scale'].includes(scenarioName)) return run({ make, makeContext }, options)
  await peer.start()
  try {
    return await run({ peer, context }, options)
  } finally {
    await peer.stop()
  }
}

function cleanUp() {
  for (const { pid } of descendants([process.pid])) kill(pid)
  for (const home of homes) {
    for (const pid of allPids()) if (pid !== process.pid && environment(pid).includes(home)) kill(pid)
    remove(home)
  }
}
