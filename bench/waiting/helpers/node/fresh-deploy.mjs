// two questions of node:readline with work between them
import { createInterface } from 'node:readline/promises'
import { sleep, truth } from './truth.mjs'

const rl = createInterface({ input: process.stdin, output: process.stdout })
const ask = (text) => {
  const answer = rl.question(text)
  truth()
  return answer
}
await ask('Target: ')
await sleep(1400)
await ask('Sure? ')
rl.close()
