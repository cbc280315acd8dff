// tells its story one character every 300 ms and asks in the same way
import readline from 'node:readline'
import { sleep, truth } from './truth.mjs'

const type = async (text) => {
  for (const letter of text) {
    process.stdout.write(letter)
    await sleep(300)
  }
}
for (;;) {
  const rl = readline.createInterface({ input: process.stdin, output: process.stdout, prompt: '' })
  rl.pause()
  await type('Who? ')
  const answer = new Promise((done) => rl.once('line', done))
  rl.resume()
  truth()
  await answer
  rl.close()
}
