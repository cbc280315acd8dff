// a readline interface that stays open: between its questions the program works in silence, first behind a timer, then in a child
import { execFile } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { promisify } from 'node:util'
import { sleep, truth } from '../truth.mjs'

const lines = createInterface({ input: process.stdin, output: process.stdout })
const ask = (question) => {
  const answer = lines.question(question)
  truth()
  return answer
}
await ask('Where does the backup go? ')
await sleep(3400)
await ask('Keep how many copies? ')
await promisify(execFile)('sleep', ['3.2'])
await ask('Label of the backup? ')
await sleep(60_000)
