// agent-like TUI: raw mode, stdin listener always on, does a silent 2.5 s network wait after each line, no spinner (argv[2]='quiet') or spinner
const net = require('node:net')
const quiet = process.argv[2] === 'quiet'
process.stdin.setRawMode(true)
process.stdin.resume()
let line = ''
let busy = false
const prompt = () => process.stdout.write(`\r\x1b[K> ${line}`)
prompt()
const srv = net
  .createServer((s) => {
    setTimeout(() => s.end('answer\n'), 2500)
  })
  .listen(0, '127.0.0.1')
process.stdin.on('data', (d) => {
  const s = d.toString()
  if (s === '\x03' || s === '\x04') process.exit(0)
  if (busy) return
  if (s.endsWith('\r')) {
    line += s.slice(0, -1)
    busy = true
    process.stdout.write('\r\n')
    const f = '⠋⠙⠹⠸'
    let i = 0
    const iv = quiet ? null : setInterval(() => process.stdout.write(`\r${f[i++ % 4]} thinking`), 100)
    const c = net.connect(srv.address().port, '127.0.0.1')
    c.on('data', (_b) => {})
    c.on('end', () => {
      iv && clearInterval(iv)
      process.stdout.write(`\r\x1b[Kanswer to ${line}\r\n`)
      line = ''
      busy = false
      prompt()
    })
  } else {
    line += s
    prompt()
  }
})
