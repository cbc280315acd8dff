/**
 * terminalcp over MCP stdio; it starts its own daemon. It has no wait, so the caller polls `stream` with since_last.
 *
 * Input is typed as its documentation says, with \r, which the daemon delays by 200 ms on purpose. BENCH_TERMINALCP_LF=1
 * sends \n instead: fast in a shell, but not what full-screen programs take for Enter.
 */
import { McpStdio } from '../lib/mcp-stdio.mjs'
import { countLines, poll, sleep } from '../lib/measure.mjs'
import { findProcesses, kill } from '../lib/processes.mjs'
import { bashCommand, installPeer, peerFile, privateEnvironment, prompt } from '../lib/workspace.mjs'

const library = '@mariozechner/terminalcp'
const enter = process.env.BENCH_TERMINALCP_LF ? '\n' : '\r'
const tailMax = 200_000

export const install = () => installPeer(library)

let count = 0

export async function make({ home }) {
  let mcp
  const act = (args, timeoutMs) => mcp.text('terminalcp', { args }, timeoutMs)
  const daemons = () => findProcesses(/terminalcp.*--server/, `HOME=${home}`)
  const type = ({ id }, data) => act({ action: 'stdin', id, data })
  const whole = ({ id }) => act({ action: 'stream', id, strip_ansi: false })

  /** The output since the last call, appended to the caller's buffer. */
  async function readNew(session) {
    const fresh = await act({ action: 'stream', id: session.id, since_last: true }).catch((error) => {
      if (!/timeout/i.test(error.message)) throw error
      return '' // the daemon was too busy to answer this time
    })
    session.seen = (session.seen + fresh).slice(-tailMax)
    return session.seen
  }

  async function open(command) {
    const id = `t${++count}`
    await act({ action: 'start', command, name: id })
    return { id, seen: '' }
  }

  return {
    slow: true,
    async start() {
      const options = { env: privateEnvironment(home), cwd: home }
      mcp = new McpStdio(process.execPath, [peerFile(library, 'dist/index.js'), '--mcp'], options)
      await mcp.initialize()
    },
    listTools: () => mcp.tools(),
    detach: () => mcp.stop(),
    async stop() {
      await mcp.stop()
      for (const pid of daemons()) kill(pid, 'SIGTERM')
      await sleep(300)
      for (const pid of daemons()) kill(pid)
    },
    serverPids: () => [mcp.pid, ...daemons()],
    create: ({ stampFile } = {}) => open(`exec ${bashCommand(stampFile)}`),
    waitPrompt: (session, timeoutMs = 30_000) => poll(async () => (await readNew(session)).includes(prompt), timeoutMs),
    async exec(session, line, marker, timeoutMs = 30_000) {
      session.seen = ''
      await type(session, line + enter)
      await poll(async () => (await readNew(session)).includes(marker), timeoutMs)
      return session.seen
    },
    async ready(session, line, timeoutMs = 30_000) {
      await readNew(session)
      session.seen = ''
      await type(session, line + enter)
      await poll(async () => (await readNew(session)).endsWith(prompt), timeoutMs)
      return 'the caller polls the stream every 10 ms and knows the prompt'
    },
    async streamStat(session) {
      const text = await whole(session)
      return { bytes: text.length, lines: countLines(text) }
    },
    async collect(file) {
      const session = await open(`cat ${file}`)
      await poll(async () => (await readNew(session)).includes('[Process exited'), 10_000)
      const text = await whole(session)
      await act({ action: 'stop', id: session.id })
      return text.replace(/\n\[Process exited.*\n/, '').length
    },
    close: ({ id }) => act({ action: 'stop', id }),
    async agentCommand(session, line, done) {
      await readNew(session)
      const sent = await type(session, `${line}\r`)
      await done()
      return [sent, await act({ action: 'stream', id: session.id, since_last: true })]
    },
    async agentKeys(session, keys, settle) {
      const sent = await type(session, keys)
      await settle()
      return [sent, await act({ action: 'stdout', id: session.id })]
    },
    toolText: async () => JSON.stringify(await mcp.tools()),
  }
}
