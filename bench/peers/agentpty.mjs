/** agentpty as agents use it: its tools over MCP stdio. */
import { Agentpty } from '../lib/agentpty.mjs'
import { McpStdio } from '../lib/mcp-stdio.mjs'

export const make = async ({ home, build }) => new AgentptyOverMcp(home, build)

class AgentptyOverMcp extends Agentpty {
  #mcp

  async connect() {
    const options = { env: this.environment, cwd: this.home }
    this.#mcp = new McpStdio(process.execPath, [this.program, 'mcp'], options)
    await this.#mcp.initialize()
  }

  disconnect() {
    return this.#mcp.stop()
  }

  clientPids() {
    return [this.#mcp.pid]
  }

  async call(verb, args) {
    return (await this.#mcp.call(`terminal_${verb}`, args)).structuredContent
  }

  listTools() {
    return this.#mcp.tools()
  }

  async agentCommand({ terminalId }, text) {
    return [await this.#mcp.text('terminal_send', { terminalId, text, waitFor: 'ready', waitTimeoutMs: 30_000 })]
  }

  /** The replies only: those of a program that draws contain the changed rows. */
  async agentKeys({ terminalId }, keys, settle) {
    const replies = []
    for (const part of keys.split(/(?<=\r)|(?=\x1b)|(?<=\x1b)/)) {
      if (part === '\x1b') replies.push(await this.#mcp.text('terminal_send_keys', { terminalId, keys: ['escape'] }))
      else {
        const [text, newline] = part.endsWith('\r') ? [part.slice(0, -1), true] : [part, false]
        const wait = { waitFor: 'ready', waitTimeoutMs: 5_000 }
        replies.push(await this.#mcp.text('terminal_send', { terminalId, text, newline, ...wait }))
      }
    }
    await settle()
    return replies
  }

  async toolText() {
    return JSON.stringify(await this.#mcp.tools())
  }
}
