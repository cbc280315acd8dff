/**
 * agentpty, its own daemon and host behind it, used as its tools ask to be used: one call that types and waits. Which way in is
 * measured is the subclass's matter: it brings `connect`, `disconnect`, `call` and `clientPids`.
 *
 * The bench prompt is the .bashrc of the private HOME, so agentpty's own shell integration applies as it does for users.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { commandLine, descendants } from './processes.mjs'
import { checkout, privateEnvironment, prompt, rcFile } from './workspace.mjs'

/** BENCH_AGENTPTY names another build to measure, such as the last release. */
export const program = process.env.BENCH_AGENTPTY ?? path.join(checkout, 'packages', 'agentpty', 'bin', 'agentpty.js')
const run = promisify(execFile)
const page = 1024 * 1024

export class Agentpty {
  #servers = null

  /** `build`: the measured program. */
  constructor(home, build = program) {
    this.home = home
    this.program = build
    this.environment = privateEnvironment(home, { AGENTPTY_HOME: path.join(home, 'agentpty') })
    copyFileSync(rcFile, path.join(home, '.bashrc'))
    // Without one, zsh asks a new user for its settings.
    writeFileSync(path.join(home, '.zshrc'), '')
  }

  start() {
    return this.connect()
  }

  detach() {
    return this.disconnect()
  }

  async stop() {
    await this.disconnect()
    await this.#command('stop', '--all')
  }

  /** The daemon's own report: its process, its host's, its socket. Starts one if there is none. */
  async status() {
    // Builds before `status --start` started one in `status`; `ls` does so in every build.
    await this.#command('ls')
    return JSON.parse(await this.#command('status', '--json'))
  }

  async serverPids() {
    this.#servers ??= await this.status()
    const { daemon, host } = this.#servers
    const hostProgram = commandLine(host.pid).split(' ')[0]
    const keepers = descendants([host.pid]).filter(({ pid }) => commandLine(pid).startsWith(hostProgram))
    return [...this.clientPids(), daemon.pid, host.pid, ...keepers.map(({ pid }) => pid)]
  }

  create(options) {
    return this.#create({ ...options, waitFor: 'none' })
  }

  open(options) {
    return this.#create({ ...options, waitFor: 'ready' })
  }

  async waitPrompt({ terminalId }, timeoutMs = 15_000) {
    await this.call('read', { terminalId, since: 0, waitFor: { text: prompt }, waitTimeoutMs: timeoutMs })
  }

  async exec({ terminalId }, text, marker, timeoutMs = 30_000) {
    const wait = { waitFor: { text: marker }, waitTimeoutMs: timeoutMs }
    let reply = await this.call('send', { terminalId, text, ...wait })
    const deadline = performance.now() + timeoutMs
    // A wait ends before any client's limit and is resumed from the cursor it gave.
    while (reply.outcome === 'timeout' && performance.now() < deadline) {
      reply = await this.call('read', { terminalId, since: reply.cursor, ...wait })
    }
    return reply.output
  }

  async ready({ terminalId }, text, timeoutMs = 30_000) {
    await this.call('send', { terminalId, text, waitFor: 'ready', waitTimeoutMs: timeoutMs })
    return 'send with waitFor ready'
  }

  async collect(file) {
    const command = ['cat', file]
    const session = await this.#create({ command, waitFor: 'exit', waitTimeoutMs: 10_000 })
    const { received } = await this.#readAll(session, 0)
    await this.close(session)
    return received
  }

  async streamStart(session) {
    session.streamFrom = (await this.#read(session, {})).cursor
  }

  /** The bytes received by the caller, and those reported as dropped: together every byte since. */
  async streamStat(session) {
    const { received, missed } = await this.#readAll(session, session.streamFrom)
    return { bytes: received + missed, droppedFromLog: missed }
  }

  async close({ terminalId }) {
    await this.call('close', { terminalId })
  }

  async #create({ stampFile, waitFor, waitTimeoutMs = 15_000, command, shell = 'bash' }) {
    const what = command ? { command } : { shell, env: stampFile ? { BENCH_TS: stampFile } : {} }
    const size = { cols: 80, rows: 24 }
    const { terminalId } = await this.call('create', { ...what, ...size, waitFor, waitTimeoutMs })
    return { terminalId }
  }

  #read({ terminalId }, options) {
    return this.call('read', { terminalId, raw: true, maxBytes: page, ...options })
  }

  async #readAll(session, from) {
    let received = 0
    let missed = 0
    for (let since = from; ; ) {
      const { output, cursor, missedBytes } = await this.#read(session, { since })
      received += Buffer.byteLength(output)
      missed += missedBytes ?? 0
      if (cursor === since) return { received, missed }
      since = cursor
    }
  }

  async #command(...args) {
    const { stdout } = await run(process.execPath, [this.program, ...args], { env: this.environment, cwd: this.home })
    return stdout
  }
}
