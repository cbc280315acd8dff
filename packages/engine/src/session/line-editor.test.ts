/** The key for a report is pressed only while the shell reads keys: a terminal would echo it into the output of a command. */

import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { CommandTracker } from '../marks/command-tracker.ts'
import type { Mark } from '../marks/parse-osc.ts'
import { LineEditor, type LineEditorParts } from './line-editor.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function opened() {
  const clock = new FakeClock()
  const commands = new CommandTracker()
  const pressed: string[] = []
  const input: LineEditorParts['input'] = {
    write: async (bytes, { admit }) => {
      admit()
      pressed.push(Buffer.from(bytes).toString())
      return { result: 'written' }
    },
  }
  const info = { shell: '/usr/bin/fish' } as LineEditorParts['options']['info']
  const editor = new LineEditor({ options: { clock, pid: 1, info, nonce: 'n' }, input, commands })
  let end = 0
  const output = (mark: object) => {
    const whole = { offset: end, end: end + 10, ...mark } as Mark
    end += 10
    commands.apply(whole, clock.now())
    editor.apply(whole)
  }
  output({ kind: 'prompt-end' })
  const reports = (line: string) => output({ kind: 'edit-line', line, wouldRun: true, program: null, nonce: 'n' })
  return { clock, editor, pressed, output, reports, type: (text: string) => editor.typed(text, end) }
}

const reportKey = '\x1b[5099~'

test('at the prompt the key is pressed immediately', async () => {
  const { editor, pressed, reports } = opened()
  const report = editor.report()
  await settled()
  expect(pressed).toEqual([reportKey])
  reports('ls')
  expect(await report).toMatchObject({ line: 'ls' })
})

test('behind an Enter the key waits for the next prompt', async () => {
  const { editor, pressed, output, reports, type } = opened()
  type('ls\r')
  const report = editor.report()
  await settled()
  expect(pressed).toEqual([])
  output({ kind: 'prompt-end' })
  await settled()
  expect(pressed).toEqual([reportKey])
  reports('')
  expect(await report).toMatchObject({ line: '' })
})

test('a line that runs gives no report, and the key is never pressed', async () => {
  const { editor, pressed, output, type } = opened()
  type('cat\r')
  const report = editor.report()
  await settled()
  output({ kind: 'command-start' })
  expect(await report).toBeNull()
  editor.leaveCommandMode()
  expect(pressed).toEqual([])
})

test('an Enter that the editor used itself, as in a menu, delays the key only', async () => {
  const { clock, editor, pressed, reports, type } = opened()
  type('\t\r')
  const report = editor.report()
  await settled()
  expect(pressed).toEqual([])
  clock.advance(1_000)
  await settled()
  expect(pressed).toEqual([reportKey])
  reports('cat alpha')
  expect(await report).toMatchObject({ line: 'cat alpha' })
})

test('a newline inside a paste is no Enter', async () => {
  const { editor, pressed, type } = opened()
  type('\x1b[200~one\ntwo\x1b[201~')
  void editor.report()
  await settled()
  expect(pressed).toEqual([reportKey])
})
