// Node opens /dev/tty itself for the answer, because its stdin is a pipe
import { createReadStream, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { sleep, truth } from './truth.mjs'

let bytes = 0
for await (const part of createReadStream('', { fd: 0 })) bytes += part.length
const tty = new ReadStream(openSync('/dev/tty', 'r'))
for (;;) {
  process.stdout.write(`${bytes} bytes, apply? `)
  truth()
  await new Promise((done) => tty.once('data', done))
  await sleep(1500)
}
