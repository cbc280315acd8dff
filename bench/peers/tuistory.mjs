/** tuistory through its documented command line: one process per command, a relay daemon behind it. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { poll, sleep } from '../lib/measure.mjs'
import { commandLine, findProcesses, kill } from '../lib/processes.mjs'
import { bashCommand, installPeer, peerFile, privateEnvironment, prompt } from '../lib/workspace.mjs'
import { numberedBytes } from './tmux.mjs'

const library = 'tuistory'
const execute = promisify(execFile)
let count = 0

export const install = () => installPeer(library)

export function make({ home }) {
  const { environment, command } = commandLineOf(home)
  return tuistory({ environment, act: command, stopDaemon: () => command('daemon-stop') })
}

/** The command line with a private port, which also distinguishes our relay from other users'. */
export function commandLineOf(home) {
  const port = String(20_000 + (process.pid % 20_000))
  const log = path.join(home, 'tuistory.log')
  const environment = privateEnvironment(home, { TUISTORY_PORT: port, TUISTORY_LOG_FILE_PATH: log })
  const options = { env: environment, cwd: home, maxBuffer: 1 << 28 }
  const command = async (...args) =>
    (await execute(process.execPath, [peerFile(library, 'dist/cli.js'), ...args], options)).stdout
  return { port, environment, command }
}

/** The peer, over any way to pass an argument list to the relay. */
export async function tuistory({ environment, act, begin, stopDaemon, help = () => act('--help') }) {
  const relays = () => findProcesses(/tuistory-relay/, `TUISTORY_PORT=${environment.TUISTORY_PORT}`)
  const on = (session, ...args) => act('-s', session, ...args)

  async function open(command) {
    const session = `u${++count}`
    await act('launch', command, '-s', session, '--cols', '80', '--rows', '24', '--background')
    return session
  }

  async function enter(session, line) {
    return [await on(session, 'type', line), await on(session, 'press', 'enter')]
  }

  async function hasEnded(session) {
    const listed = JSON.parse(await act('sessions', '--json'))
    const entry = (listed.sessions ?? listed).find((one) => (one.name ?? one.session) === session)
    return !entry || entry.dead === true || /dead|exit/.test(entry.status ?? '')
  }

  return {
    slow: true,
    async start() {
      await begin?.()
    },
    async stop() {
      const pids = relays()
      await stopDaemon().catch(() => null)
      await sleep(200)
      for (const pid of pids) if (commandLine(pid).includes('tuistory')) kill(pid)
    },
    serverPids: relays,
    create: ({ stampFile } = {}) => open(`exec ${bashCommand(stampFile)}`),
    waitPrompt: (session, timeoutMs = 15_000) => on(session, 'wait', prompt.trim(), '--timeout', String(timeoutMs)),
    async exec(session, line, marker, timeoutMs = 30_000) {
      await enter(session, line)
      return on(session, 'wait', marker, '--timeout', String(timeoutMs))
    },
    async ready(session, line) {
      await enter(session, line)
      await on(session, 'wait-idle')
      return 'press, which waits for silence, then wait-idle'
    },
    async collect(file) {
      const session = await open(`cat ${file}`)
      await poll(() => hasEnded(session), 3_000).catch(() => null)
      await sleep(100)
      const bytes = numberedBytes(await act('read', '-s', session, '--all'))
      await on(session, 'close')
      return bytes
    },
    close: (session) => on(session, 'close'),
    async agentCommand(session, line, done) {
      await act('read', '-s', session)
      const replies = await enter(session, line)
      await done()
      return [...replies, await act('read', '-s', session)]
    },
    async agentKeys(session, keys, settle) {
      const replies = []
      for (const part of keys.split(/(\r|\x1b)/).filter(Boolean)) {
        const key = { '\r': 'enter', '\x1b': 'esc' }[part]
        replies.push(await (key ? on(session, 'press', key) : on(session, 'type', part)))
      }
      await settle()
      return [...replies, await on(session, 'snapshot', '--trim')]
    },
    toolText: help,
  }
}
