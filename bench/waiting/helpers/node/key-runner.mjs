// a test runner in the shape of jest --watch: raw keys are listened to all the time, while a child process runs the tests
import { spawn } from 'node:child_process'
import { truth } from './truth.mjs'

let child = null
const menu = () => {
  process.stdout.write(
    '\nWatch Usage\n › Press a to run all tests.\n › Press p to filter by a name.\n › Press q to quit.\n',
  )
  truth()
}
const run = (ms) => {
  process.stdout.write('\x1b[2J\x1b[3J\x1b[H\x1b[1mRUNS\x1b[22m stock.test.js\n')
  child = spawn(process.execPath, ['-e', `setTimeout(() => console.log('PASS stock.test.js'), ${ms})`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.pipe(process.stdout, { end: false })
  child.on('exit', () => {
    child = null
    menu()
  })
}
process.stdin.setRawMode(true)
process.stdin.on('data', (data) => {
  const key = String(data)
  if (key === '\u0003' || key === 'q') process.exit()
  if (child !== null) return
  if (key === 'a') run(1600)
  if (key === 'l') run(60_000)
  if (key === 'p') {
    process.stdout.write('\x1b[2J\x1b[HPattern Mode Usage\n › Press Esc to exit pattern mode.\n\n pattern › ')
    truth('pattern')
  }
})
run(1600)
