/** A minimal MCP client over stdio, so that what is measured is the server. One JSON message per line, nothing hidden. */
import { spawn } from 'node:child_process'
import { LineReader } from './line-reader.mjs'

const requestTimeoutMs = 300_000

export class McpStdio {
  #process
  #pending = new Map()
  #nextId = 1
  #lines = new LineReader()
  #exited

  constructor(command, args, options) {
    const stderr = process.env.BENCH_DEBUG ? 'inherit' : 'ignore'
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', stderr], ...options })
    this.#exited = new Promise((resolve) => this.#process.once('exit', (...how) => resolve(how)))
    this.#exited.then(([code, signal]) => this.#failAll(new Error(`the server exited (${signal ?? code})`)))
    this.#process.on('error', (error) => this.#failAll(error))
    this.#process.stdin.on('error', () => this.#failAll(new Error('the server closed its input')))
    this.#process.stdout.on('data', (chunk) => this.#read(chunk))
  }

  get pid() {
    return this.#process.pid
  }

  async initialize() {
    const clientInfo = { name: 'agentpty-bench', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const result = await this.#request('initialize', params, 30_000)
    this.#send({ method: 'notifications/initialized' })
    return result
  }

  async tools() {
    return (await this.#request('tools/list', {})).tools
  }

  /** The whole result; an answer marked as error throws, so that no error is ever timed as an answer. */
  async call(name, args, timeoutMs) {
    const result = await this.#request('tools/call', { name, arguments: args }, timeoutMs)
    if (result.isError) throw new Error(`${name}: ${textOf(result).slice(0, 300)}`)
    return result
  }

  /** The text a model would read. */
  async text(name, args, timeoutMs) {
    return textOf(await this.call(name, args, timeoutMs))
  }

  async stop() {
    this.#process.stdin.end()
    const terminate = setTimeout(() => this.#process.kill('SIGTERM'), 300)
    const kill = setTimeout(() => this.#process.kill('SIGKILL'), 2_000)
    await this.#exited
    clearTimeout(terminate)
    clearTimeout(kill)
  }

  #request(method, params, timeoutMs = requestTimeoutMs) {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const late = () => {
        this.#pending.delete(id)
        reject(new Error(`${method}: not within ${timeoutMs} ms`))
      }
      this.#pending.set(id, { resolve, reject, timer: setTimeout(late, timeoutMs) })
      this.#send({ id, method, params })
    })
  }

  #send(message) {
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #read(chunk) {
    for (const line of this.#lines.push(chunk)) if (line.startsWith('{')) this.#receive(JSON.parse(line))
  }

  #receive(message) {
    const request = message.method ? undefined : this.#pending.get(message.id)
    if (request) {
      this.#pending.delete(message.id)
      clearTimeout(request.timer)
      if (message.error) request.reject(new Error(message.error.message))
      else request.resolve(message.result)
    } else if (message.method && message.id != null) {
      this.#send({ id: message.id, error: { code: -32601, message: 'not supported' } })
    }
  }

  #failAll(error) {
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer)
      reject(error)
    }
    this.#pending.clear()
  }
}

const textOf = (result) => (result.content ?? []).map((part) => part.text ?? '').join('\n')
