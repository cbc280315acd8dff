// a chat that listens to the keyboard all the time and streams its answer in pieces, with stalls, before the next turn
import { emitKeypressEvents } from 'node:readline'
import { sleep, truth } from './truth.mjs'

const rule = '─'.repeat(60)
let answering = false
const box = () => {
  process.stdout.write(`\n${rule}\n> \n${rule}\n  esc to interrupt · ? for shortcuts\x1b[2A\r\x1b[2C`)
  truth()
}
async function answer() {
  answering = true
  process.stdout.write('\x1b[2B\r\n')
  for (const word of 'The stock is counted once a week , and twice in the sale .'.split(' ')) {
    process.stdout.write(`${word} `)
    await sleep(word === 'week' || word === 'twice' ? 900 : 90)
  }
  answering = false
  box()
}
emitKeypressEvents(process.stdin)
process.stdin.setRawMode(true)
process.stdin.on('keypress', (text, key) => {
  if (key.ctrl && key.name === 'c') process.exit()
  if (answering) return
  if (key.name === 'return') return void answer()
  process.stdout.write(text)
})
await sleep(600)
box()
