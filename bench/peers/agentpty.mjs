/**
 * agentpty over MCP stdio, its own daemon and host behind it, used as its tools ask to be used: one call that types and waits.
 *
 * The bench prompt is the .bashrc of the private HOME, so agentpty's own shell integration applies as it does for users.
 */
import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { McpStdio } from '../lib/mcp-stdio.mjs'
import { checkout, privateEnvironment, prompt, rcFile } from '../lib/place.mjs'
import { commandLine, descendants } from '../lib/processes.mjs'

/** BENCH_AGENTPTY names another build to measure, such as the last release. */
const program = process.env.BENCH_AGENTPTY ?? path.join(checkout, 'packages', 'agentpty', 'bin', 'agentpty.js')
const run = promisify(execFile)
const page = 1024 * 1024

export async function make({ home }) {
  copyFileSync(rcFile, path.join(home, '.bashrc'))
  return new Agentpty(home)
}

class Agentpty {
  #home
  #environment
  #mcp
  #servers = null

  constructor(home) {
    this.#home = home
    this.#environment = privateEnvironment(home, { AGENTPTY_HOME: path.join(home, 'agentpty') })
  }

  async start() {
    const options = { env: this.#environment, cwd: this.#home }
    this.#mcp = new McpStdio(process.execPath, [program, 'mcp'], options)
    await this.#mcp.initialize()
  }

  listTools() {
    return this.#mcp.tools()
  }

  detach() {
    return this.#mcp.stop()
  }

  async stop() {
    await this.#mcp.stop()
    await this.#command('stop', '--all')
  }

  async serverPids() {
    this.#servers ??= JSON.parse(await this.#command('status', '--json'))
    const { daemon, host } = this.#servers
    const hostProgram = commandLine(host.pid).split(' ')[0]
    const keepers = descendants([host.pid]).filter(({ pid }) => commandLine(pid).startsWith(hostProgram))
    return [this.#mcp.pid, daemon.pid, host.pid, ...keepers.map(({ pid }) => pid)]
  }

  create(options) {
    return this.#create({ ...options, waitFor: 'none' })
  }

  open(options) {
    return this.#create({ ...options, waitFor: 'ready' })
  }

  async waitPrompt(session, timeoutMs = 15_000) {
    await this.#call('terminal_read', { ...session, since: 0, waitFor: { text: prompt }, waitTimeoutMs: timeoutMs })
  }

  async exec(session, text, marker, timeoutMs = 30_000) {
    let reply = await this.#call('terminal_send', {
      ...session,
      text,
      waitFor: { text: marker },
      waitTimeoutMs: timeoutMs,
    })
    const deadline = performance.now() + timeoutMs
    // A wait ends before any client's limit and is resumed from the cursor it gave.
    while (reply.outcome === 'timeout' && performance.now() < deadline) {
      const since = reply.cursor
      reply = await this.#call('terminal_read', {
        ...session,
        since,
        waitFor: { text: marker },
        waitTimeoutMs: timeoutMs,
      })
    }
    return reply.output
  }

  async ready(session, text, timeoutMs = 30_000) {
    await this.#call('terminal_send', { ...session, text, waitFor: 'ready', waitTimeoutMs: timeoutMs })
    return 'terminal_send with waitFor ready'
  }

  async collect(file) {
    const command = ['cat', file]
    const session = await this.#create({ command, waitFor: 'exit', waitTimeoutMs: 10_000 })
    const { bytes } = await this.#readAll(session, 0)
    await this.close(session)
    return bytes
  }

  async streamStart(session) {
    session.streamFrom = (await this.#read(session, {})).cursor
  }

  /** Bytes are counted by offsets, which count what the log has dropped since, too. */
  async streamStat(session) {
    const { cursor, missed } = await this.#readAll(session, session.streamFrom)
    return { bytes: cursor - session.streamFrom, droppedFromLog: missed }
  }

  async close({ terminalId }) {
    await this.#call('terminal_close', { terminalId })
  }

  async agentCommand({ terminalId }, text) {
    return [await this.#text('terminal_send', { terminalId, text, waitFor: 'ready', waitTimeoutMs: 30_000 })]
  }

  async agentKeys({ terminalId }, keys, settle, { fullScreen }) {
    const replies = []
    for (const part of keys.split(/(?<=\r)|(?=\x1b)|(?<=\x1b)/)) {
      if (part === '\x1b') replies.push(await this.#text('terminal_send_keys', { terminalId, keys: ['escape'] }))
      else {
        const [text, newline] = part.endsWith('\r') ? [part.slice(0, -1), true] : [part, false]
        replies.push(
          await this.#text('terminal_send', { terminalId, text, newline, waitFor: 'ready', waitTimeoutMs: 5_000 }),
        )
      }
    }
    await settle()
    // A line-oriented program is read from the reply; only one that draws needs its screen.
    if (fullScreen) replies.push(await this.#text('terminal_screenshot', { terminalId }))
    return replies
  }

  async toolText() {
    return JSON.stringify(await this.#mcp.tools())
  }

  async #create({ stampFile, waitFor, waitTimeoutMs = 15_000, command }) {
    const what = command ? { command } : { shell: 'bash', env: stampFile ? { BENCH_TS: stampFile } : {} }
    const size = { cols: 80, rows: 24 }
    const { terminalId } = await this.#call('terminal_create', { ...what, ...size, waitFor, waitTimeoutMs })
    return { terminalId }
  }

  #read({ terminalId }, options) {
    return this.#call('terminal_read', { terminalId, raw: true, maxBytes: page, ...options })
  }

  async #readAll(session, from) {
    let bytes = 0
    let missed = 0
    for (let since = from; ; ) {
      const { output, cursor, missedBytes } = await this.#read(session, { since })
      bytes += Buffer.byteLength(output)
      missed += missedBytes ?? 0
      if (cursor === since) return { bytes, missed, cursor }
      since = cursor
    }
  }

  async #call(tool, { streamFrom: _, ...args }) {
    return (await this.#mcp.call(tool, args)).structuredContent
  }

  #text(tool, args) {
    return this.#mcp.text(tool, args)
  }

  async #command(...args) {
    const { stdout } = await run(process.execPath, [program, ...args], { env: this.#environment, cwd: this.#home })
    return stdout
  }
}
