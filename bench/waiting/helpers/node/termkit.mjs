// terminal-kit: a single column menu, an input field with history, a progress bar
import termkit from 'terminal-kit'
import { sleep, truth } from './truth.mjs'

const term = termkit.terminal
await sleep(500)
const menu = term.singleColumnMenu(['north', 'south', 'west']).promise
truth()
await menu
term('\nwalking ')
const bar = term.progressBar({ width: 40, percent: true })
for (let i = 0; i <= 10; i++) {
  bar.update(i / 10)
  await sleep(150)
}
term('\nwhat do you see? ')
const field = term.inputField({}).promise
truth()
await field
await sleep(3000)
process.exit(0)
