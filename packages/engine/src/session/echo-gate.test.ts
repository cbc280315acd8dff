import type { Verdict } from '@agentpty/protocol/session'
import { expect, test } from 'vitest'
import { EchoGate, type EchoMoment } from './echo-gate.ts'

const verdictOf = (state: Verdict['state'], kind: Verdict['kind']): Verdict => ({
  ...{ state, kind, confidence: 'high', needs: null, question: null, evidence: [], since: 0 },
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

test('letters of the line leave it as it is, whatever the verdict says in between', () => {
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
