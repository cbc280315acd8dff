// a prompt that asks back when it is interrupted
import readline from 'node:readline'
import { sleep, truth } from './truth.mjs'

const rl = readline.createInterface({ input: process.stdin, output: process.stdout, prompt: 'shop> ' })
rl.on('line', async () => {
  await sleep(1300)
  rl.prompt()
  truth()
})
rl.on('SIGINT', () => {
  rl.question('Are you sure you want to exit? ', (answer) => {
    if (answer.startsWith('y')) setTimeout(() => process.exit(), 4000)
    else rl.prompt()
  })
})
rl.prompt()
truth()
