// questions that end their line above an empty one, without readline; the input stays open while the program works
import { sleep, truth } from '../truth.mjs'

const waiting = []
process.stdin.on('data', (data) => waiting.shift()?.(String(data)))
const ask = (question) => {
  process.stdout.write(`${question} (press enter to skip)\n`)
  truth()
  return new Promise((done) => waiting.push(done))
}
await ask('Title of the page')
await sleep(3200)
await ask('Subtitle')
await ask('Author of the page')
await sleep(60_000)
