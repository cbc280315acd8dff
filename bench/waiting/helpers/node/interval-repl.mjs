// a REPL of Node's own in which a timer prints a log line and draws the prompt again, twice; it listens to nobody while it drains
import repl from 'node:repl'
import { sleep, truth } from './truth.mjs'

const shell = repl.start({ prompt: 'ctl> ' })
truth()
let draining = false
const tell = (text) => {
  process.stdout.write(`\r\x1b[K[log] ${text}\n`)
  if (!draining) shell.displayPrompt(true)
}
shell.defineCommand('watch', {
  help: 'print what happens',
  action() {
    setTimeout(tell, 400, 'worker 1 joined')
    setTimeout(tell, 700, 'worker 2 joined')
    this.displayPrompt()
  },
})
shell.defineCommand('drain', {
  help: 'wait until all workers are idle',
  async action(ms) {
    draining = true
    this.pause()
    await sleep(Number(ms) || 1500)
    this.resume()
    draining = false
    process.stdout.write('drained\n')
    this.displayPrompt()
    truth('drained')
  },
})
