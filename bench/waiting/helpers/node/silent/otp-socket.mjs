// asks for a one-time code beside a connection that is kept alive; the server in the child needs three seconds for its verdict
import { fork } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { truth } from '../truth.mjs'

if (process.send) {
  const server = createServer((peer) => {
    peer.on('error', () => process.exit())
    peer.on('data', (data) => {
      for (const word of String(data).trim().split('\n'))
        setTimeout(() => peer.write(`${word}\n`), word === 'ping' ? 1 : word === 'long' ? 60_000 : 3200)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('disconnect', () => process.exit())
} else {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const server = fork(new URL(import.meta.url).pathname, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  server.once('message', (port) => {
    const peer = connect(port, '127.0.0.1')
    peer.setKeepAlive(true, 1000)
    setInterval(() => peer.write('ping\n'), 1000)
    const ask = () => {
      lines.question('One-time code: ', (code) => peer.write(`${code}\n`))
      truth()
    }
    peer.on('connect', ask)
    peer.on('data', (data) => {
      if (/^(?!ping)\w/m.test(String(data))) ask()
    })
  })
}
