/**
 * Many processes, many held calls and many questions: a person sees few of them, the rest of the terminal goes on, and the supervisor does not grow.
 * AGENTPTY_GATE_FLOOD: how many places a program is asked about; the measured runs have 100,000.
 */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHost, type TestHost } from '../harness/host-fixture.ts'
import { until } from '../harness/instance.ts'
import { GatedHome } from './gated-home.ts'
import type { GatedTerminal } from './gated-terminal.ts'

const flood = Number(process.env['AGENTPTY_GATE_FLOOD'] ?? 2000)
const floodTimeoutMs = 600_000

const programs = join(import.meta.dirname, 'programs')

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

const shows = (terminal: GatedTerminal, text: string) => terminal.recorder.until((shown) => shown.text.includes(text))
const enter = (terminal: GatedTerminal) => terminal.pty.write(Buffer.from('\n'))

/** Makes as many guarded folders. */
function homeWithPlaces(count: number): GatedHome {
  const home = new GatedHome(host)
  for (let at = 0; at < count; at++) mkdirSync(join(home.path, `place${at}`))
  return home
}

const placesLeft = ({ path }: GatedHome) => readdirSync(path).filter((name) => name.startsWith('place')).length

/** The memory of the terminal's supervisor, in kB. */
function memoryOf({ supervisors }: GatedHome): number {
  expect(supervisors).toHaveLength(1)
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${supervisors[0]}/status`, 'utf8'))?.[1])
}

const callsOf = ({ questions }: GatedTerminal) => questions.reduce((sum, { count }) => sum + count, 0)

test('of two thousand short processes one is held, and all others come to their end meanwhile', async () => {
  const home = new GatedHome(host)
  const terminal = await home.open(`python3 ${programs}/storm.py`)
  await shows(terminal, 'ended 1999')
  expect([home.kept, readdirSync(home.workspace)]).toEqual([['a', 'b', 'c'], []])
  await terminal.answer('allow')
  await terminal.recorder.exit
  expect(terminal.text).toBe('ended 1999\r\nlast 0\r\n')
  expect([home.kept, terminal.questions.length]).toEqual([['b', 'c'], 1])
  await terminal.close()
})

test('five hundred threads that are held at as many places are six questions, and the workspace stays free', async () => {
  const held = 500
  const home = homeWithPlaces(held)
  const terminal = await home.open(`python3 ${programs}/held.py ${held}`)
  await terminal.question()
  const before = memoryOf(home)
  await until(() => callsOf(terminal) === held)
  await enter(terminal)
  await shows(terminal, 'worked')
  expect(terminal.questions.map(({ verb, answer }) => `${verb} ${answer}`).sort()).toEqual([
    'anything open',
    ...Array.from({ length: 5 }, () => 'delete open'),
  ])
  expect(memoryOf(home) - before).toBeLessThan(1024)
  for (const { id } of terminal.questions) terminal.pty.answerGate({ kind: 'answer', id, answer: 'deny' })
  await terminal.recorder.exit
  expect(terminal.text).toMatch(/refused 500\r\n$/)
  expect([terminal.questions.length, placesLeft(home)]).toEqual([6, held])
  await terminal.close()
})

test('questions about many places are few messages and take no memory, unanswered, denied, or only noted', {
  timeout: floodTimeoutMs,
}, async () => {
  const home = homeWithPlaces(flood)
  expect(await floodOf(home, { deadlineMs: 1 })).toEqual([flood, flood])
  expect(await floodOf(home, {})).toEqual([flood, flood])
  expect(await floodOf(home, { gate: 'journal' })).toEqual([0, 0])
})

/** Returns how many calls were refused, and how many places are left. */
async function floodOf(home: GatedHome, options: Parameters<GatedHome['open']>[1]): Promise<readonly number[]> {
  const warm = 200
  const terminal = await home.open(`python3 ${programs}/flood.py ${warm} ${flood}`, options)
  terminal.answersAll('deny')
  await shows(terminal, 'warm')
  const before = memoryOf(home)
  await enter(terminal)
  await shows(terminal, 'refused')
  expect(memoryOf(home) - before).toBeLessThan(1024)
  // The last count follows.
  await until(() => callsOf(terminal) === flood)
  // One for each question and its answer, and at most one each second for the count of the last one.
  expect(terminal.questions).toHaveLength(17)
  expect(terminal.messages.length).toBeLessThan(40 + flood / 200)
  await terminal.close()
  return [Number(/refused (\d+)/.exec(terminal.text)?.[1]), placesLeft(home)]
}
