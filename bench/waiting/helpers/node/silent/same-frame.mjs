// a panel that a timer paints each 100 ms, always with the same cells; b builds for three seconds, and a counter changes meanwhile
import { truth } from '../truth.mjs'

let built = 0
let until = 0
function paint() {
  const isBuilding = Date.now() < until
  if (isBuilding) built += 1
  else if (until > 0) {
    until = 0
    setImmediate(truth)
  }
  const rows = [
    'Packages',
    '',
    '  core      1.4.0',
    '  web       1.4.0',
    '',
    isBuilding ? `building file ${built}` : 'idle',
  ]
  const footer = isBuilding ? '' : 'b build   u update   q leave'
  process.stdout.write(`\x1b[H${[...rows, '', footer].map((row) => `${row}\x1b[K`).join('\r\n')}`)
}
process.stdout.write('\x1b[?1049h\x1b[?25l\x1b[2J')
process.stdin.setRawMode(true)
process.stdin.on('data', (data) => {
  const key = String(data)
  if (key === 'q' || key === '\u0003') process.exit()
  if (key === 'b' && until === 0) until = Date.now() + (built === 0 ? 3000 : 60_000)
})
setInterval(paint, 100)
paint()
truth()
