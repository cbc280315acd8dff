/** Terminals of a private server end with the program that opened them, however it ends, and so does their ptyhost. */

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { processesWith, until } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

let folder: string
beforeEach(() => {
  folder = scratchFolder()
})

/** None of its processes ends on its own, and some have left the terminal and ignore HUP and TERM. */
const stubborn = `trap "" HUP TERM; setsid sh -c "trap '' HUP TERM; sleep 1000" & sleep 1000 & echo up; sleep 1000`

const opening = `
  import { openEngine, openSession, openTerminals } from 'agentpty'
  const command = ['bash', '-c', ${JSON.stringify(stubborn)}]
  const waitFor = { text: 'up' }
  const session = await openSession({ command, waitFor })
  const engine = await openEngine()
  await engine.client.call('create', { command, waitFor })
`

interface Script {
  readonly pid: number
  /** Of everything that belongs to it, itself included. */
  readonly marker: string
  readonly ended: Promise<unknown>
}

/** For the one that fills it. */
const smallHeap = '--max-old-space-size=64'

/** Runs it until it prints "up", or to its end. */
async function run(code: string): Promise<Script> {
  const mark = `${process.pid}-${folder}`
  const child = spawn(process.execPath, [smallHeap, '--input-type=module', '-e', code], {
    env: { ...process.env, AGENTPTY_TEST: mark, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended])
  return { pid: child.pid ?? 0, marker: `AGENTPTY_TEST=${mark}`, ended }
}

async function expectGone({ marker, ended }: Script): Promise<void> {
  await ended
  await until(() => processesWith(marker).length === 0)
  expect(processesWith(marker)).toEqual([])
  await until(() => readdirSync(folder).length === 0)
  expect(readdirSync(folder)).toEqual([])
}

const waiting = `${opening}\n process.stdout.write('up'); setInterval(() => {}, 1000)`

test.each<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])(
  'a program ended by %s leaves no process',
  async (signal) => {
    const script = await run(waiting)
    // The script, two ptyhosts, and below each a keeper and at least three processes.
    expect(processesWith(script.marker).length).toBeGreaterThanOrEqual(11)
    process.kill(script.pid, signal)
    await expectGone(script)
  },
)

test.each<[string, string]>([
  ['that calls process.exit', `${opening}\n process.exit(0)`],
  [
    'that calls process.exit in a handler of its own',
    `${opening}\n process.on('exit', () => process.exit(3)); process.exit(1)`,
  ],
  ['with an uncaught error', `${opening}\n setImmediate(() => { throw new Error('oops') })`],
  ['with an unhandled rejection', `${opening}\n void Promise.reject(new Error('oops'))`],
  [
    'that exits while a terminal is being opened',
    `${opening}\n void openSession({ command }); setImmediate(() => process.exit())`,
  ],
  [
    'that exits while its server starts',
    `import { openTerminals } from 'agentpty'; void openTerminals(); setTimeout(() => process.exit(), 20)`,
  ],
  ['that aborts', `${opening}\n process.abort()`],
  ['that runs out of memory', `${opening}\n const all = []; for (;;) all.push(new Array(1e6).fill({}))`],
  ['that closes its session and engine', `${opening}\n await session.close(); await engine.close()`],
])('a program %s leaves no process', async (_how, code) => {
  await expectGone(await run(code))
})

test('a program that is stopped and continued keeps its terminals', async () => {
  const script = await run(waiting)
  const before = processesWith(script.marker)
  process.kill(script.pid, 'SIGSTOP')
  process.kill(script.pid, 'SIGCONT')
  // Some processes of its terminals may start only now.
  expect(processesWith(script.marker)).toEqual(expect.arrayContaining([...before]))
  process.kill(script.pid, 'SIGKILL')
  await expectGone(script)
})
