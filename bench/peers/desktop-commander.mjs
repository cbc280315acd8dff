/** desktop-commander over MCP stdio: pipes, no PTY. Own HOME, telemetry off, nothing blocked. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { McpStdio } from '../lib/mcp-stdio.mjs'
import { poll } from '../lib/measure.mjs'
import { bashCommand, installPeer, peerFile, privateEnvironment, prompt } from '../lib/workspace.mjs'

const library = '@wonderwhy-er/desktop-commander'
const settings = { telemetryEnabled: false, defaultShell: '/bin/bash', blockedCommands: [], allowedDirectories: [] }

export const install = () => installPeer(library)

export async function make({ home }) {
  let mcp
  const interact = (session, input, timeoutMs) =>
    mcp.text('interact_with_process', { pid: session.id, input, timeout_ms: timeoutMs })
  const read = (session, options) => mcp.text('read_process_output', { pid: session.id, timeout_ms: 1_000, ...options })

  async function open(command) {
    const text = await mcp.text('start_process', { command, timeout_ms: 8_000 })
    return { id: Number(/PID (\d+)/.exec(text)?.[1]), text }
  }

  return {
    slow: true,
    noFullScreen: true,
    async start() {
      const folder = path.join(home, '.claude-server-commander')
      mkdirSync(folder, { recursive: true })
      writeFileSync(path.join(folder, 'config.json'), JSON.stringify(settings))
      const options = { env: privateEnvironment(home), cwd: home }
      mcp = new McpStdio(process.execPath, [peerFile(library, 'dist/index.js')], options)
      await mcp.initialize()
    },
    listTools: () => mcp.tools(),
    stop: () => mcp.stop(),
    serverPids: () => [mcp.pid],
    // 2>&1: the prompt goes to stderr, overtakes the output there, and each call would run into its full timeout.
    create: ({ stampFile } = {}) => open(`${bashCommand(stampFile)} 2>&1`),
    async waitPrompt(session, timeoutMs = 15_000) {
      if (session.text.includes(prompt.trim())) return
      await poll(async () => (await read(session)).includes(prompt.trim()), timeoutMs)
    },
    async exec(session, line, marker, timeoutMs = 30_000) {
      let seen = await interact(session, line, timeoutMs)
      if (seen.includes(marker)) return seen
      await poll(async () => {
        seen = await read(session, { offset: -5 })
        return seen.includes(marker)
      }, 10_000)
      return seen
    },
    async ready(session, line, timeoutMs = 30_000) {
      await interact(session, line, timeoutMs)
      return 'prompt detection of interact_with_process'
    },
    async streamStat(session) {
      const text = await read(session, { offset: -1, timeout_ms: 100 })
      const number = (pattern) => Number(pattern.exec(text)?.[1] ?? 0)
      return { lines: number(/total: (\d+) lines/), evicted: number(/the (\d+) earliest lines were evicted/) }
    },
    async collect(file) {
      const { text } = await open(`cat ${file}`)
      return text.split('\n').reduce((sum, line) => {
        const at = line.search(/\d{9} /)
        return at < 0 ? sum : sum + line.length - at + 2
      }, 0)
    },
    close: ({ id }) => mcp.text('force_terminate', { pid: id }),
    async agentCommand(session, line, done) {
      const replies = [await interact(session, line, 30_000)]
      await done()
      while (replies.length < 6 && /showing \d+ of|\d+ remaining/.test(replies.at(-1))) {
        replies.push(await read(session, { timeout_ms: 500 }))
        if (!/, [1-9]\d* remaining/.test(replies.at(-1))) break
      }
      return replies
    },
    agentKeys: async (session, keys) => [await interact(session, keys.replace(/\r$/, ''), 8_000)],
    toolText: async () => JSON.stringify(await mcp.tools()),
  }
}
