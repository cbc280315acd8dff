/** tuistory through the relay's endpoint that its own command line posts to: separates the cost of starting Node each time. */
import http from 'node:http'
import { commandLineOf, install, tuistory } from './tuistory.mjs'

export { install }

export function make({ home }) {
  const { port, environment, command } = commandLineOf(home)
  const agent = new http.Agent({ keepAlive: true })

  async function act(...args) {
    const body = JSON.stringify({ argv: ['node', 'tuistory', ...args], cwd: home, env: environment })
    const reply = JSON.parse(await post({ port, agent, body }))
    if (reply.exitCode) throw new Error(reply.stderr || `exit code ${reply.exitCode}`)
    return reply.stdout
  }

  async function stopDaemon() {
    agent.destroy()
    await command('daemon-stop')
  }

  return tuistory({ environment, act, begin: () => command('sessions'), stopDaemon, help: () => command('--help') })
}

function post({ port, agent, body }) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const request = http.request(
      { port, host: '127.0.0.1', path: '/cli', method: 'POST', agent, headers },
      (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => resolve(Buffer.concat(chunks).toString()))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
