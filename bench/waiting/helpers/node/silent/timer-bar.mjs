// a timer that draws a bar each second, while a readline interface is open that asks nothing; the question comes after the bar
import { createInterface } from 'node:readline'
import { truth } from '../truth.mjs'

const lines = createInterface({ input: process.stdin, output: process.stdout })
function run() {
  let done = 0
  const timer = setInterval(() => {
    done += 1
    process.stdout.write(`\r  Copying photos [${'#'.repeat(done).padEnd(5)}] ${done} of 5 `)
    if (done < 5) return
    clearInterval(timer)
    lines.question('\nCopy them again? (y/N) ', run)
    truth()
  }, 1000)
}
run()
