// ora spins, then node:readline asks; the second time the spinner is stopped before the work is done
import readline from 'node:readline/promises'
import ora from 'ora'
import { burn, sleep, truth } from './truth.mjs'

const ask = async (q) => {
  const rl = readline.createInterface({ input: process.stdin, output: process.stdout })
  const answer = rl.question(q)
  truth()
  await answer
  rl.close()
}
const spinner = ora({ text: 'fetching', discardStdin: true }).start()
await sleep(1800)
spinner.succeed('fetched')
await ask('Deploy now? ')
spinner.start('building')
await sleep(1000)
spinner.stop()
burn(1000)
await ask('Really? ')
spinner.start('deploying')
await sleep(4000)
spinner.stop()
