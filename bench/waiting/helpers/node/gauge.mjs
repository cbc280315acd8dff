// gauge, the bar npm had: it pulses, stands still for a while, goes away, and a question follows
import readline from 'node:readline'
import Gauge from 'gauge'
import { sleep, truth } from './truth.mjs'

for (;;) {
  const gauge = new Gauge(process.stdout, { updateInterval: 50 })
  for (let i = 0; i <= 20; i++) {
    gauge.show(`part ${i}`, i / 20)
    gauge.pulse(`part ${i}`)
    await sleep(i === 14 ? 900 : 45)
  }
  gauge.hide()
  const rl = readline.createInterface({ input: process.stdin, output: process.stdout })
  await new Promise((done) => {
    rl.question('Fetched 21 parts. Again? (y/n) ', done)
    truth()
  })
  rl.close()
}
