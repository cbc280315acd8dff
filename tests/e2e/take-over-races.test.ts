/** No byte of an agent passes after a person has taken over, whenever that happens. `AGENTPTY_RACES=10000` runs as many races. */

import { openEngine } from 'agentpty'
import { expect, test } from 'vitest'

const rounds = Number(process.env['AGENTPTY_RACES'] ?? 2_000)
const agents = 3
const last = 'END'
const tailMax = 20_000

test(`in ${rounds} races of agents that write and a person who takes over`, async () => {
  const { client, close } = await openEngine()
  const person = { isPerson: true } as const
  const { terminalId } = await client.call('create', {
    command: ['sh', '-c', 'stty raw -echo; echo go; exec cat'],
    waitFor: { text: 'go' },
  })
  let isOver = false
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  let passed = 0
  let refused = 0
  const hammer = async () => {
    for (let length = 1; !isOver; length = (length % 60) + 1) {
      // Yields as over a socket: a refusal alone would never let other callers run.
      await new Promise(setImmediate)
      await client.call('write', { terminalId, data: base64(`${'a'.repeat(length)}\r`) }).then(
        () => passed++,
        ({ code }) => {
          expect(code).toBe('person_types')
          refused++
        },
      )
    }
  }
  let text = ''
  let wake = () => {}
  const shows = async (wanted: string) => {
    while (!text.includes(wanted, text.length - tailMax)) await new Promise<void>((resolve) => (wake = resolve))
  }
  const following = (async () => {
    for await (const event of client.follow(terminalId, { output: { since: 0 } })) {
      if (event.type === 'output') text += Buffer.from(event.bytes).toString('latin1')
      wake()
      if (text.endsWith(last)) return
    }
  })()
  const hammering = Array.from({ length: agents }, hammer)
  for (let round = 0; round < rounds; round++) {
    await client.call('take', { terminalId }, person)
    await client.call('write', { terminalId, data: base64(`<${round}`) }, person)
    await client.call('write', { terminalId, data: base64('>') }, person)
    // The next take-over drops what the program has not read.
    await shows(`<${round}>`)
    await client.call('release', { terminalId }, person)
    // The agents write for a varying time.
    for (let turns = round % 4; turns >= 0; turns--) await new Promise(setImmediate)
  }
  isOver = true
  await Promise.all(hammering)
  await client.call('write', { terminalId, data: base64(last) }, person)
  await following
  const mine = text.match(/<\d+>/g) ?? []
  expect(mine).toEqual(Array.from({ length: rounds }, (_none, round) => `<${round}>`))
  // Between the two halves of the person's input there is no other input.
  expect(text.replaceAll(/<\d+>/g, '')).toMatch(/^go\s+[a\r]+END$/)
  expect([passed, refused].every((count) => count > rounds)).toBe(true)
  await close()
}, 600_000)
