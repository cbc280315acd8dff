// a list with a pointer beside a timer, silent work after it, yes or no by one key and by a line, and a report that looks like a list
import { createInterface, emitKeypressEvents } from 'node:readline'
import { sleep, truth } from '../truth.mjs'

setInterval(() => {}, 140)
emitKeypressEvents(process.stdin)
process.stdin.setRawMode(true)
const typed = []
let wake = () => {}
const onKey = (_text, key) => {
  typed.push(key.name)
  wake()
}
process.stdin.on('keypress', onKey)
async function nextKey() {
  while (typed.length === 0) {
    await new Promise((done) => {
      wake = done
    })
  }
  return typed.shift()
}

async function pick(question, items) {
  let at = 0
  process.stdout.write(`${question}\n`)
  for (;;) {
    for (const [index, item] of items.entries()) process.stdout.write(`\x1b[K${index === at ? '»' : ' '} ${item}\n`)
    truth('pick')
    const name = await nextKey()
    if (name === 'return') return
    if (name === 'down') at = (at + 1) % items.length
    process.stdout.write(`\x1b[${items.length}A`)
  }
}

await pick('Which size?', ['small', 'medium', 'large'])
await sleep(3100)
await pick('? Colour', ['red', 'blue'])
process.stdout.write('Replace the old one (y/n) ')
truth('key')
await nextKey()
process.stdin.off('keypress', onKey)
const lines = createInterface({ input: process.stdin, output: process.stdout })
process.stdout.write('\n')
await new Promise((done) => {
  lines.question('Print it too (y/n) ', done)
  truth('line')
})
process.stdout.write('Tests:\n» sums\n  adds\n  subtracts\n')
await sleep(60_000)
