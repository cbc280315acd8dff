// a line editor whose prompt holds a clock that is drawn anew every second, also while a command works
import readline from 'node:readline'
import { sleep, truth } from './truth.mjs'

const rl = readline.createInterface({ input: process.stdin, output: process.stdout })
const time = () => new Date().toISOString().slice(11, 19)
const draw = () => {
  rl.setPrompt(`${time()} desk> `)
  rl.prompt(true)
}
let working = false
setInterval(() => {
  if (!working) draw()
}, 1000)
rl.on('line', async (line) => {
  working = true
  await sleep(line === 'long' ? 60_000 : 1500)
  console.log(`done: ${line}`)
  working = false
  draw()
  truth()
})
draw()
truth()
