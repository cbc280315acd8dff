// nanospinner while a worker thread computes, then a question with the callback form of readline

import readline from 'node:readline'
import { Worker } from 'node:worker_threads'
import { createSpinner } from 'nanospinner'
import { truth } from './truth.mjs'

const work = () =>
  new Promise((done) => {
    const spinner = createSpinner('computing').start()
    new Worker('const t = Date.now() + 1800; while (Date.now() < t);', { eval: true }).on('exit', () => {
      spinner.success()
      done()
    })
  })
for (;;) {
  await work()
  const rl = readline.createInterface({ input: process.stdin, output: process.stdout })
  await new Promise((done) => {
    rl.question('again? ', done)
    truth()
  })
  rl.close()
}
