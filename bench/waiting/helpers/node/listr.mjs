// listr2: tasks with a renderer that redraws all the time, then a question by a task

import readline from 'node:readline'
import { Listr } from 'listr2'
import { sleep, truth } from './truth.mjs'

await new Listr([
  { title: 'Clean', task: () => sleep(700) },
  { title: 'Build', task: () => sleep(1300) },
  { title: 'Test', task: () => sleep(500) },
]).run()
const rl = readline.createInterface({ input: process.stdin, output: process.stdout })
rl.question('Publish? (y/N) ', async () => {
  rl.close()
  await new Listr([{ title: 'Publish', task: () => sleep(4000) }]).run()
})
truth()
