// lines of a log keep coming while a question is open; then a token without echo and a menu of numbers, by the promises of readline
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { sleep, truth } from '../truth.mjs'

let mute = false
const output = new Writable({
  write(chunk, _encoding, done) {
    if (!mute) process.stdout.write(chunk)
    done()
  },
})
const lines = createInterface({ input: process.stdin, output, terminal: true })

async function ask(question) {
  truth('ask')
  return lines.question(question)
}

const host = await ask('Host to tail: ')
for (let index = 0; index < 14; index += 1) {
  process.stdout.write(`${host} worker ${index} is up\n`)
  await sleep(120)
}
process.stdout.write('Token: ')
await sleep(1300)
mute = true
await ask('')
mute = false
process.stdout.write('\n1) follow\n2) dump\n')
await ask('Number: ')
process.stdout.write('Filter (empty for all)? ')
await sleep(2100)
await ask('Filter (empty for all)? ')
for (let index = 0; index < 200; index += 1) {
  process.stdout.write(index % 9 === 8 ? 'is this the last one? ' : `line ${index}\n`)
  await sleep(260)
}
