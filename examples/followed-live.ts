/** Follows a terminal live: first a snapshot, then every event exactly once. */

import assert from 'node:assert/strict'
import { openSession } from 'agentpty'

await using session = await openSession({
  command: ['bash', '-c', 'echo before; read x; for i in 1 2 3; do echo "line $i"; done; exit 3'],
})

let heard = ''
let exitCode: number | null = null
const following = (async () => {
  const decoder = new TextDecoder()
  for await (const event of session.events()) {
    if (event.type === 'snapshot')
      console.log(
        'there already:',
        event.frame.rows.map(([, text]) => text.replaceAll(/\x1b\[[\d;]*m/g, '')),
      )
    else if (event.type === 'output') {
      const text = decoder.decode(event.bytes)
      heard += text
      process.stdout.write(text)
    } else if (event.type === 'exit') {
      exitCode = event.exit.code
      console.log(`ended with ${exitCode}`)
    } else if (event.type === 'turn' && event.verdict.state === 'ready') {
      console.log(`your turn: ${event.verdict.kind}`)
      void session.send('go', { waitFor: 'none' })
    }
  }
})()
await following

assert.match(heard, /line 1\r\nline 2\r\nline 3\r\n$/)
assert.equal(exitCode, 3)
