import assert from 'node:assert/strict'
import { type Clock, type Pty, replyBytesMax } from '@agentpty/protocol'
import type { Verdict } from '@agentpty/protocol/session'
import { expect, test } from 'vitest'
import { FactTracker } from '../turn/turn-feed.ts'
import { EchoGate, type EchoMoment, InputWriter } from './input-writer.ts'

/** A clock whose timers come late: time advances, and each fires only when the test lets it. */
function lateClock() {
  let now = 0
  const timers: (() => void)[] = []
  const clock: Clock = {
    now: () => now,
    wall: () => now,
    callAt: (_at, call) => {
      timers.push(call)
      return () => undefined
    },
  }
  return {
    clock,
    pass: (ms: number) => {
      now += ms
    },
    fire: () => {
      for (const call of timers.splice(0)) call()
    },
  }
}

const sending = { admit: () => {}, isUrgent: false, numbered: undefined }

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what is typed after an Escape stays in order, also when the pause is over before its timer has fired', async () => {
  const { clock, pass, fire } = lateClock()
  const sent: string[] = []
  const pty = {
    write: async (bytes: Uint8Array) => {
      sent.push(Buffer.from(bytes).toString())
      return { result: 'written' as const }
    },
  } as unknown as Pty
  const input = new InputWriter(clock, pty, new FactTracker(), async () => {})
  const writes = [input.write(Buffer.from('\x1b'), sending), input.write(Buffer.from('first'), sending)]
  await settled()
  pass(1_000)
  writes.push(
    input.write(Buffer.from('second'), sending),
    input.write(Buffer.from('third\x1b'), sending),
    input.write(Buffer.from('last'), sending),
  )
  await settled()
  assert.deepEqual(sent, ['\x1b'])
  fire()
  await settled()
  assert.deepEqual(sent, ['\x1b', 'first', 'second', 'third\x1b'])
  pass(1_000)
  fire()
  await Promise.all(writes)
  assert.deepEqual(sent, ['\x1b', 'first', 'second', 'third\x1b', 'last'])
})

test('a line that the terminal would cut is refused, and what is typed after it is not', async () => {
  const { clock } = lateClock()
  const sent: string[] = []
  const pty = {
    write: async (bytes: Uint8Array) => {
      sent.push(Buffer.from(bytes).toString())
      return { result: 'written' as const }
    },
  } as unknown as Pty
  const input = new InputWriter(clock, pty, new FactTracker(), async (bytes) => {
    throw new Error(`${bytes} are too many`)
  })
  const long = input.write(Buffer.from(`${'x'.repeat(4_096)}\r`), sending)
  const next = input.write(Buffer.from('next'), sending)
  await assert.rejects(long, /4096 are too many/)
  assert.deepEqual(await next, { result: 'written' })
  assert.deepEqual(sent, ['next'])
})

test('a program that asks on and never reads is given as many answers as a terminal holds; the others are counted', async () => {
  const writes: Buffer[] = []
  const arrivals: (() => void)[] = []
  const pty = {
    write: (bytes: Uint8Array) =>
      new Promise((resolve) => {
        writes.push(Buffer.from(bytes))
        arrivals.push(() => resolve({ result: 'written' as const }))
      }),
  } as unknown as Pty
  const input = new InputWriter(lateClock().clock, pty, new FactTracker(), async () => {})
  const answer = Buffer.from('0123456789abcdef')
  for (let count = 0; count < 10_000; count++) input.reply(answer)
  await settled()
  assert.deepEqual([writes.length, writes[0]?.length], [1, replyBytesMax])
  assert.equal(input.droppedReplies, 10_000 - replyBytesMax / answer.length)
  for (const arrive of arrivals) arrive()
  await settled()
  input.reply(Buffer.from('again'))
  // Typed input comes after earlier answers of the terminal.
  void input.write(Buffer.from('typed'), sending)
  await settled()
  assert.deepEqual(writes.slice(1).map(String), ['again', 'typed'])
})

const verdictOf = (state: Verdict['state'], kind: Verdict['kind']): Verdict => ({
  state,
  kind,
  confidence: 'high',
  needs: null,
  question: null,
  evidence: [],
  rule: '',
  since: 0,
})
const raw = { canonical: false, echo: false }
const lines = { canonical: true, echo: true }
const shell: EchoMoment = { verdict: verdictOf('ready', 'shell'), facts: raw, alternateScreen: false, atPrompt: true }
const cat: EchoMoment = { verdict: verdictOf('ready', 'line'), facts: lines, alternateScreen: false, atPrompt: false }
const busy: EchoMoment = { ...shell, verdict: verdictOf('busy', null), facts: null }
const password: EchoMoment = {
  ...cat,
  verdict: verdictOf('ready', 'password'),
  facts: { canonical: true, echo: false },
}

function gateAfter(...moments: readonly EchoMoment[]): EchoGate {
  const gate = new EchoGate()
  for (const moment of moments) gate.look(moment)
  return gate
}

test.each<[string, EchoMoment, boolean]>([
  ['a prompt that a shell has marked', shell, true],
  ['a program that reads lines', cat, true],
  ['a shell without marks, which edits its lines itself', { ...shell, atPrompt: false }, false],
  ['a password', password, false],
  ['a password that a program hides by itself', { ...password, facts: raw }, false],
  ['a program that works', busy, false],
  ['a full-screen program', { ...cat, alternateScreen: true }, false],
  ['facts from before the last input', { ...cat, facts: null }, false],
  ['a dialog that reads keys', { ...cat, verdict: verdictOf('ready', 'key'), facts: raw }, false],
])('%s: %#', (_what, moment, want) => {
  expect(gateAfter(moment).state.echoes).toBe(want)
})

test('letters of the line leave it unchanged, whatever the verdict says in between', () => {
  const gate = gateAfter(shell)
  gate.typed(Buffer.from('ls -l\x7f'))
  gate.look(busy)
  expect(gate.state).toEqual({ echoes: true, controls: 0 })
})

test('after Enter it is not known until the program waits again, and the letters typed ahead are not', () => {
  const gate = gateAfter(shell)
  gate.typed(Buffer.from('read -s x\rse'))
  gate.look(busy)
  expect(gate.state).toEqual({ echoes: false, controls: 1 })
  gate.look(password)
  expect(gate.state.echoes).toBe(false)
  gate.look(shell)
  expect(gate.state).toEqual({ echoes: true, controls: 1 })
})

test.each<[string, EchoMoment]>([
  ['the terminal stops echoing', password],
  ['a full-screen program comes', { ...cat, alternateScreen: true }],
  ['the prompt has gone', { ...shell, atPrompt: false }],
  ['the program has ended', { ...cat, verdict: verdictOf('exited', null) }],
])('it is known no more when %s', (_what, moment) => {
  expect(gateAfter(cat, moment).state.echoes).toBe(false)
})

test('every control character is counted, also those of keys', () => {
  const gate = gateAfter(shell)
  gate.typed(Buffer.from('a\x1b[A\r\n\x7f'))
  expect(gate.state.controls).toBe(3)
})
