// cli-progress with a bar that stands still for a second at 60 %, then a raw "press any key"
import { Presets, SingleBar } from 'cli-progress'
import { sleep, truth } from './truth.mjs'

for (;;) {
  const bar = new SingleBar({}, Presets.shades_classic)
  bar.start(100, 0)
  for (let i = 0; i <= 100; i += 5) {
    bar.update(i)
    await sleep(i === 60 ? 1000 : 40)
  }
  bar.stop()
  process.stdout.write('Press any key to run again')
  process.stdin.setRawMode(true)
  process.stdin.resume()
  truth()
  const key = await new Promise((done) => process.stdin.once('data', done))
  process.stdin.setRawMode(false)
  process.stdin.pause()
  process.stdout.write('\n')
  if (String(key) === 'q') break
}
