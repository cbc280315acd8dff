// a wizard of enquirer beside a connection that a timer keeps alive; nothing of it is drawn
import { connect, createServer } from 'node:net'
import enquirer from 'enquirer'
import { sleep, truth } from '../truth.mjs'

const server = createServer((peer) => peer.on('data', (data) => peer.write(data)))
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const peer = connect(server.address().port, '127.0.0.1')
peer.on('data', () => {})
setInterval(() => peer.write('alive'), 1000)
const ask = (question) => {
  const answer = enquirer.prompt({ name: 'answer', ...question })
  truth()
  return answer
}
await ask({ type: 'input', message: 'Name of the service?', initial: 'billing' })
await sleep(3300)
await ask({ type: 'toggle', message: 'Use a queue?', enabled: 'Yes', disabled: 'No' })
await ask({ type: 'input', message: 'Port?', initial: '8080' })
await sleep(60_000)
