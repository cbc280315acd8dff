/** tmux the way agents use it: one process per command (send-keys, capture-pane), a private socket, no user settings. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { poll, sleep } from '../lib/measure.mjs'
import { kill, stat } from '../lib/processes.mjs'
import { bashCommand, privateEnvironment, prompt } from '../lib/workspace.mjs'

const execute = promisify(execFile)
let count = 0

export async function make({ home }) {
  const socket = path.join(home, 'tmux.sock')
  const options = { env: privateEnvironment(home), maxBuffer: 1 << 28 }
  let server = 0

  async function tmux(...args) {
    const { stdout } = await execute('tmux', ['-f', '/dev/null', '-S', socket, ...args], options)
    return stdout
  }
  const screen = (session) => tmux('capture-pane', '-p', '-t', session)
  const type = (session, line) => tmux('send-keys', '-t', session, line, 'Enter')

  return {
    async start() {
      // The first session starts the server.
    },
    async detach() {
      // Every command is a client of its own, so nothing is attached.
    },
    async stop() {
      await tmux('kill-server').catch(() => null)
      await sleep(50)
      if (stat(server)?.name.startsWith('tmux')) kill(server)
    },
    serverPids: () => [server].filter(Boolean),
    async create({ stampFile } = {}) {
      const session = `s${process.pid}-${++count}`
      await tmux('new-session', '-d', '-s', session, '-x', '80', '-y', '24', `exec ${bashCommand(stampFile)}`)
      if (!server) {
        await tmux('set-option', '-s', 'exit-empty', 'off')
        server = Number(await tmux('display-message', '-p', '#{pid}'))
      }
      return session
    },
    waitPrompt: (session, timeoutMs = 30_000) =>
      poll(async () => (await screen(session)).includes(prompt.trim()), timeoutMs),
    async exec(session, line, marker, timeoutMs = 30_000) {
      await type(session, line)
      let seen = ''
      await poll(async () => {
        seen = await screen(session)
        return seen.includes(marker)
      }, timeoutMs)
      return seen
    },
    async ready(session, line) {
      const channel = `c${++count}`
      await type(session, `${line}; tmux -S ${socket} wait-for -S ${channel}`)
      await tmux('wait-for', channel)
      return 'a tmux wait-for channel is appended to the command'
    },
    async collect(file) {
      const session = `l${++count}`
      const keep = ['set-option', '-t', session, 'remain-on-exit', 'on']
      const first = ['new-session', '-d', '-s', session, '-x', '200', '-y', '50']
      await tmux(...first, ';', ...keep, ';', 'respawn-pane', '-k', '-t', session, `cat ${file}`)
      await poll(
        async () => (await tmux('display-message', '-p', '-t', session, '#{pane_dead}')).trim() === '1',
        10_000,
      )
      const text = await tmux('capture-pane', '-p', '-S', '-', '-t', session)
      await tmux('kill-session', '-t', session)
      return numberedBytes(text)
    },
    close: (session) => tmux('kill-session', '-t', session),
    async agentCommand(session, line, done) {
      await type(session, 'clear')
      await sleep(100)
      await tmux('clear-history', '-t', session)
      await type(session, line)
      await done()
      return [await tmux('capture-pane', '-p', '-J', '-S', '-', '-t', session)]
    },
    async agentKeys(session, keys, settle) {
      await tmux('send-keys', '-t', session, '-l', keys)
      await settle()
      return [await screen(session)]
    },
    toolText: async () => '', // models know tmux
  }
}

/** Bytes of the numbered lines as the terminal carried them, each with \r\n; a screen has no line ends of its own. */
export const numberedBytes = (text) =>
  text
    .split('\n')
    .filter((line) => /^\d{9} /.test(line))
    .reduce((sum, line) => sum + line.length + 2, 0)
