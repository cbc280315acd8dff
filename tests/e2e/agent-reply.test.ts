/** `agentpty agent reply`: dialogs of every kind, answered by their options. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Instance } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
const dialogs = join(import.meta.dirname, 'dialogs.mjs')

beforeEach(() => {
  instance = scratchInstance()
})

const start = (...kinds: readonly string[]) =>
  instance.cli('agent', 'spawn', `exec ${process.execPath} ${dialogs} ${kinds.join(' ')}`)
const reply = (...words: readonly string[]) => instance.cli('agent', 'reply', 'term-1', ...words)

/** Its final report of the chosen options. */
async function chosen(): Promise<string> {
  // Without an end the screen shows which dialog is still open.
  await instance.cli('wait', 'term-1', '--for', 'exit', '--timeout', '20000')
  const { stdout: screen } = await instance.cli('screen', 'term-1')
  return /chosen: (.*)/.exec(screen)?.[1] ?? screen
}

const second = 'Yes, and always allow it'

test.each(['digits', 'goes', 'arrows', 'pointed', 'styled', 'across', 'haltingArrows', 'haltingDigits'])(
  'an option is chosen by its number or its words, in a dialog of the kind "%s"',
  async (kind) => {
    await start(kind, kind, kind)
    expect(await reply('2')).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining(second) })
    expect(await reply('tell it what')).toMatchObject({ code: 0, stderr: '' })
    expect(await reply('yes')).toEqual({ code: 0, stderr: '', stdout: 'Yes\n' })
    assert.equal(await chosen(), `${second}; No, tell it what to do; Yes`)
  },
)

test('a dialog is shown with its options, and nothing is pressed', async () => {
  await start('pointed')
  const shown = `Do you want to proceed?\n› 1. Yes\n  2. ${second}\n  3. No, tell it what to do\n`
  expect(await reply()).toMatchObject({ code: 0, stdout: shown })
  const { stdout } = await reply('--json')
  expect(JSON.parse(stdout)).toMatchObject({
    chosen: null,
    needs: 'answer',
    options: [{ isHighlighted: true }, {}, {}],
  })
})

test('the description of an option is set apart from its label, and the printed text chooses it', async () => {
  await start('described', 'described')
  const shown = '› 1. Once — only now\n  2. Always — from now on\n'
  expect(await reply()).toMatchObject({ code: 0, stdout: expect.stringContaining(shown) })
  expect(await reply('Always — from now on')).toMatchObject({ code: 0, stdout: 'Always — from now on\n' })
  expect(await reply('once')).toMatchObject({ code: 0, stdout: 'Once — only now\n' })
})

test('two identical dialogs are answered once each', async () => {
  await start('digits', 'digits')
  await reply('3')
  expect(await reply()).toMatchObject({ code: 0, stdout: expect.stringContaining('› 1. Yes') })
  await reply('3')
  assert.equal(await chosen(), 'No, tell it what to do; No, tell it what to do')
})

describe('is refused with the available options:', () => {
  test.each<[string, string, RegExp]>([
    ['an unknown option', 'maybe', /no option "maybe": 1\. Yes; 2\. .*; 3\. No.*Nothing was pressed/s],
    ['words that two options have', 'it', /"it" fits 2 options of the dialog: 2\. .*; 3\. /],
    ['a number beyond the last', '4', /no option "4"/],
  ])('%s', async (_what, option, said) => {
    await start('arrows')
    expect(await reply(option)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(said) })
    await reply('1')
    assert.equal(await chosen(), 'Yes')
  })

  test('a terminal without a dialog', async () => {
    await instance.cli('agent', 'spawn', 'cat')
    expect(await reply('1')).toMatchObject({ code: 1, stderr: expect.stringContaining('term-1 shows no dialog') })
  })

  test('a highlight that does not move, without submitting anything', async () => {
    await start('deaf')
    expect(await reply('2')).toMatchObject({ code: 1, stderr: expect.stringContaining('the highlight does not move') })
    await instance.cli('keys', 'term-1', 'enter')
    assert.equal(await chosen(), 'Yes')
  })

  test('a dialog that stays after Enter', async () => {
    await start('stuck')
    expect(await reply('2')).toMatchObject({ code: 1, stderr: expect.stringContaining('the dialog is still there') })
  })
})

test('a question of one line is answered with free text', async () => {
  const asks = `'printf "Go on? [y/N] "; read -r x; printf "Sure (yes/no)? "; read -r y; echo "got $x and $y"'`
  await instance.cli('agent', 'spawn', `exec sh -c ${asks}`)
  expect(await reply('yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('y\n') })
  expect(await reply('no')).toMatchObject({ code: 0 })
  await instance.cli('wait', 'term-1', '--for', 'exit')
  const { stdout } = await instance.cli('read', 'term-1')
  expect(stdout).toContain('got y and no')
})

test('an option of dialog(1) is submitted by its own button, whichever button is highlighted', async () => {
  const menu = `'dialog --default-button cancel --menu "What shall it be?" 12 40 4 tea "with milk" coffee black 2>chosen'`
  await instance.cli('agent', 'spawn', `exec sh -c ${menu}`, '--cwd', instance.user)
  expect(await reply('coffee')).toMatchObject({ code: 0, stdout: 'coffee — black\n' })
  const { stdout } = await instance.cli('run', `cat ${join(instance.user, 'chosen')}`)
  expect(stdout).toBe('coffee')
})
