/** Follows a terminal live: first how it looks now, then everything that happens, each once. */

import { openSession } from 'agentpty'

await using session = await openSession({
  command: ['bash', '-c', 'echo before; read x; for i in 1 2 3; do echo "line $i"; done; exit 3'],
})

const following = (async () => {
  const decoder = new TextDecoder()
  for await (const event of session.events()) {
    if (event.type === 'snapshot')
      console.log(
        'there already:',
        event.frame.rows.map(([, text]) => text.replaceAll(/\x1b\[[\d;]*m/g, '')),
      )
    else if (event.type === 'output') process.stdout.write(decoder.decode(event.bytes))
    else if (event.type === 'exit') console.log(`ended with ${event.exit.code}`)
    else if (event.verdict.state === 'ready') {
      console.log(`your turn: ${event.verdict.kind}`)
      void session.send('go', { waitFor: 'none' })
    }
  }
})()
await following
