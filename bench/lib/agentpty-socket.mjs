/** A minimal client of the agentpty daemon's socket, so that what is measured is the daemon. One JSON message a line. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { LineReader } from './line-reader.mjs'

export class AgentptySocket {
  #socket
  #lines = new LineReader()
  #pending = new Map()
  #nextId = 1

  /** Resolves once the daemon has answered the greeting. */
  static async open(file, { cwd, env }) {
    const socket = connect(file)
    await once(socket, 'connect')
    const connection = new AgentptySocket(socket)
    const hello = { agentpty: 1, face: 'rpc', client: `agentpty-bench-${process.pid}`, cwd, env }
    await connection.#ask('hello', hello)
    return connection
  }

  constructor(socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (error) => this.#failAll(error))
    socket.on('close', () => this.#failAll(new Error('the daemon closed the connection')))
  }

  /** The verb's result; an error of the daemon's throws. */
  call(method, params) {
    const id = this.#nextId++
    return this.#ask(id, { id, method, params })
  }

  end() {
    this.#socket.end()
  }

  #ask(id, message) {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#socket.write(`${JSON.stringify(message)}\n`)
    })
  }

  #read(chunk) {
    for (const line of this.#lines.push(chunk)) this.#receive(JSON.parse(line))
  }

  #receive(message) {
    // The daemon's own greeting is the one message that answers no number.
    const id = message.agentpty ? 'hello' : message.id
    const asked = this.#pending.get(id)
    this.#pending.delete(id)
    if (message.error) asked?.reject(new Error(`${message.error.code}: ${message.error.message}`))
    else asked?.resolve(message.agentpty ? message : message.result)
  }

  #failAll(error) {
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }
}
