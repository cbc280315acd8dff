/**
 * An agent with an input box: `node boxed-agent.mjs DEAF LOG`. Each submitted text is a line of LOG. While the file DEAF exists, Enter is
 * ignored.
 */

import { appendFileSync, existsSync } from 'node:fs'

const [deaf, log] = process.argv.slice(2)
const line = '─'.repeat(60)
const status = (state) => process.stdout.write(`\x1b]7501;state=${state}:app=boxed\x1b\\`)
let draft = ''

function draw() {
  const rows = draft.split('\n')
  const shown = rows.map((row, index) => `${index === 0 ? '❯' : ' '} ${row}`).join('\r\n')
  process.stdout.write(`\x1b[2J\x1b[H${line}\r\n${shown}\x1b7\r\n${line}\x1b8`)
}

function submit() {
  if (existsSync(deaf)) return
  appendFileSync(log, `${JSON.stringify(draft)}\n`)
  draft = ''
  status('working')
  draw()
  setTimeout(() => status('done'), 50)
}

process.stdin.setRawMode(true)
process.stdin.setEncoding('utf8')
process.stdout.write('\x1b[?2004h')
status('idle')
draw()
process.stdin.on('data', (text) => {
  for (const part of text.split(/(\x1b\[20[01]~|\r)/)) {
    if (part === '\r' && !text.includes('\x1b[200~')) submit()
    else if (part === '\x15') draft = ''
    else if (!part.startsWith('\x1b[')) draft += part.replaceAll('\r', '\n')
  }
  draw()
})
