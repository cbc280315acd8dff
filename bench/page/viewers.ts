/**
 * COUNT viewers of one terminal, in a separate process like browsers: `viewers.ts TERMINAL COUNT`. Prints `ready` once each has
 * its first screen, and runs until its input ends.
 */

import { systemClock } from '@agentpty/engine/system-clock'
import { resolvePaths } from '@agentpty/protocol/home'
import { LineWire, WireClient } from '@agentpty/protocol/wire'
import { connectDaemon } from '@agentpty/server/daemon'

const [terminalId = '', count = '1'] = process.argv.slice(2)
const paths = resolvePaths(process.env, process.getuid?.() ?? 0)

async function view(number: number): Promise<void> {
  const hello = { face: 'rpc', client: `viewer-${number}`, cwd: '/', env: {}, isPerson: true } as const
  const options = { clock: systemClock, paths, command: [], build: '', mayStart: false }
  const { socket } = await connectDaemon(options, hello)
  const events = new WireClient(new LineWire(socket)).follow(terminalId, { output: { from: 'screen' } })
  await events[Symbol.asyncIterator]().next()
  void (async () => {
    for await (const _ of events);
  })()
}

await Promise.all(Array.from({ length: Number(count) }, (_, number) => view(number)))
process.stdout.write('ready\n')
process.stdin.on('end', () => process.exit()).resume()
