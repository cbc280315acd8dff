import assert from 'node:assert/strict'
import { commandsMax } from '@agentpty/protocol'
import fc from 'fast-check'
import { test } from 'vitest'
import { CommandTracker } from './command-tracker.ts'
import { MarkScanner } from './mark-scanner.ts'
import type { MarkBody } from './parse-osc.ts'

const osc = (body: string): string => `\x1b]133;${body}\x07`
const A = osc('A')
const B = osc('B')
const C = osc('C')
const D0 = osc('D;0')
const prompt = `${A}$ ${B}`

/** Plays output to a tracker; the time of each mark is its offset. */
function track(output: string): CommandTracker {
  const tracker = new CommandTracker()
  for (const mark of new MarkScanner().scan(Buffer.from(output), 0)) tracker.apply(mark, mark.offset)
  return tracker
}

test('a command has its line, directory, output and exit code', () => {
  const before = `\x1b]7;file://h/home\x07${prompt}ls\r\n\x1b]633;E;ls;\x07`
  const tracker = track(`${before}${C}a b\r\n${osc('D;2')}${prompt}`)
  assert.deepEqual(tracker.last, {
    line: 'ls',
    inputStart: 18 + prompt.length,
    promptStart: 18,
    outputStart: before.length + C.length,
    outputEnd: before.length + C.length + 'a b\r\n'.length,
    exitCode: 2,
    startedAt: before.length,
    endedAt: before.length + C.length + 'a b\r\n'.length,
    cwd: '/home',
  })
  assert.equal(tracker.current, null)
})

for (const [name, output, want] of [
  [
    'no marks: not integrated',
    'text',
    { integrated: false, atPrompt: false, promptEnd: null, running: false, codes: [] },
  ],
  [
    'a prompt that has begun is not yet an invitation',
    A,
    { integrated: true, atPrompt: false, promptEnd: null, running: false, codes: [] },
  ],
  ['a prompt', prompt, { integrated: true, atPrompt: true, promptEnd: 18, running: false, codes: [] }],
  [
    'a running command',
    `${prompt}${C}`,
    { integrated: true, atPrompt: false, promptEnd: null, running: true, codes: [] },
  ],
  [
    'a redrawn prompt',
    `${prompt}${prompt}`,
    { integrated: true, atPrompt: true, promptEnd: 36, running: false, codes: [] },
  ],
  [
    'an end without a start',
    `${D0}${prompt}${D0}${prompt}`,
    { integrated: true, atPrompt: true, promptEnd: 56, running: false, codes: [] },
  ],
  [
    'a start without a prompt',
    `${C}x${D0}`,
    { integrated: false, atPrompt: false, promptEnd: null, running: false, codes: [0] },
  ],
  [
    'a start twice',
    `${C}${C}${D0}`,
    { integrated: false, atPrompt: false, promptEnd: null, running: false, codes: [null, 0] },
  ],
  [
    'a prompt without an end before it',
    `${C}x${prompt}`,
    { integrated: true, atPrompt: true, promptEnd: 27, running: false, codes: [null] },
  ],
  [
    'an end twice',
    `${C}${D0}${osc('D;1')}`,
    { integrated: false, atPrompt: false, promptEnd: null, running: false, codes: [0] },
  ],
] as const) {
  test(name, () => {
    const tracker = track(output)
    const { integrated, atPrompt, promptEnd } = tracker
    const running = tracker.current !== null
    const codes = tracker.commands.map((command) => command.exitCode)
    assert.deepEqual({ integrated, atPrompt, promptEnd, running, codes }, want)
  })
}

test('a line sent after the start belongs to the command that runs', () => {
  assert.equal(track(`${prompt}${C}\x1b]633;E;make;\x07`).current?.line, 'make')
})

test('a line whose command never started is not given to the next', () => {
  assert.equal(track(`${prompt}\x1b]633;E;make;\x07${prompt}${C}`).current?.line, null)
})

test('the newest commands are kept', () => {
  const tracker = track(Array.from({ length: commandsMax + 3 }, (_, index) => `${C}${osc(`D;${index}`)}`).join(''))
  assert.equal(tracker.commands.length, commandsMax)
  assert.equal(tracker.last?.exitCode, commandsMax + 2)
})

test('whatever the marks, a prompt and a running command exclude each other and outputs do not overlap', () => {
  const body = fc.constantFrom<MarkBody>(
    { kind: 'prompt-start' },
    { kind: 'prompt-end' },
    { kind: 'command-start' },
    { kind: 'command-end', exitCode: 0 },
    { kind: 'command-line', line: 'x', nonce: null },
    { kind: 'reset' },
  )
  fc.assert(
    fc.property(fc.array(body), (marks) => {
      const tracker = new CommandTracker()
      marks.forEach((mark, index) => {
        tracker.apply({ ...mark, offset: index * 10, end: index * 10 + 8 }, index)
        assert.ok(!(tracker.atPrompt && tracker.current !== null))
        assert.equal(tracker.atPrompt, tracker.promptEnd !== null)
      })
      let end = 0
      for (const command of tracker.commands) {
        assert.ok(end <= command.outputStart && command.outputStart <= command.outputEnd)
        end = command.outputEnd
      }
    }),
  )
})
