/** agentpty as programs use it: its verbs over the daemon's own socket, without MCP and without an intermediate process. */
import { Agentpty } from '../lib/agentpty.mjs'
import { AgentptySocket } from '../lib/agentpty-socket.mjs'

export const make = async ({ home }) => new AgentptyOverSocket(home)

class AgentptyOverSocket extends Agentpty {
  #connection

  async connect() {
    const { socket } = await this.status()
    this.#connection = await AgentptySocket.open(socket, { cwd: this.home, env: this.environment })
  }

  async disconnect() {
    this.#connection.end()
  }

  clientPids() {
    return []
  }

  call(verb, args) {
    return this.#connection.call(verb, args)
  }
}
