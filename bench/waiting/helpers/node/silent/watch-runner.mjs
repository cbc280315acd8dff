// a test runner in watch mode: the tests run in a worker thread, then it waits for files and for keys
import { watch } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { truth } from '../truth.mjs'

const code = `
  const until = Date.now() + require('node:worker_threads').workerData
  while (Date.now() < until);
`
let isRunning = false
let runs = 0
function run() {
  isRunning = true
  runs += 1
  process.stdout.write('\x1b[2J\x1b[H RUN  stock.test.js\n')
  new Worker(code, { eval: true, workerData: runs < 3 ? 3000 : 60_000 }).on('exit', () => {
    isRunning = false
    process.stdout.write(' PASS stock.test.js (4 tests)\n\nWaiting for file changes...\npress a to rerun, q to quit\n')
    truth()
  })
}
watch('.', () => {})
process.stdin.setRawMode(true)
process.stdin.on('data', (data) => {
  const key = String(data)
  if (key === '\u0003' || key === 'q') process.exit()
  if (key === 'a' && !isRunning) run()
})
run()
