import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { readSigns, type ScreenSigns } from './screen-signs.ts'

const signs = (text: string, cursorVisible = false): ScreenSigns => readSigns({ rows: text.split('\n'), cursorVisible })

const permission = `
 Bash command
   touch made.txt
 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and always allow access
   3. No
 Esc to cancel · Tab to amend`

const boxed = `
╭────────────────────────────────╮
│ Allow execution of [Shell]?    │
│ ● 1. Allow once                │
│   2. Allow for this session    │
│   3. No, suggest changes (esc) │
╰────────────────────────────────╯`

const unnumbered = `
  ┃  △ Permission required
  ┃    # Shell command
  ┃  $ touch made.txt
  ┃   Allow once   Allow always   Reject        ctrl+f fullscreen  ⇆ select  enter confirm`

describe('a dialog', () => {
  test('with numbered choices has its question and them', () => {
    assert.deepEqual(signs(permission).dialog, {
      question: 'Do you want to proceed?',
      options: ['Yes', 'Yes, and always allow access', 'No'],
    })
  })

  test('that was answered and is still on the screen is none', () => {
    const after = signs(`${boxed}\n\n The program is restarting to apply the changes...`)
    expect(after).toMatchObject({ dialog: null, goesOn: true })
    expect(signs(`${boxed}\n Waiting for your answer`)).toMatchObject({ goesOn: false })
  })

  test('is found in its box', () => {
    expect(signs(boxed).dialog).toMatchObject({ question: 'Allow execution of [Shell]?' })
  })

  test('with its choices side by side is known by how to choose', () => {
    assert.deepEqual(signs(unnumbered).dialog, { question: '△ Permission required', options: [] })
  })

  test('with radio buttons has the line above as its question, with a hint and without', () => {
    const framework = '◇  Project name:\n│  proj\n│\n◆  Select a framework:\n│  ● Vanilla\n│  ○ Vue\n│  ○ React'
    const want = { question: 'Select a framework:', options: ['Vanilla', 'Vue', 'React'] }
    assert.deepEqual(signs(`${framework}\n│  ↑/↓ to navigate • Enter: confirm\n└`).dialog, want)
    assert.deepEqual(signs(`${framework}\n└`).dialog, want)
    assert.deepEqual(signs('│\n◆  Install with npm and start now?\n│  ● Yes / ○ No\n└').dialog, {
      question: 'Install with npm and start now?',
      options: ['Yes', 'No'],
    })
  })

  test.each([
    ['messages with a mark each', 'I will do this:\n● read the file\n● change it', false],
    ['a list of work of which much is done', 'Steps:\n● read\n● change\n○ test', false],
    ['radio buttons with text below', 'Which one?\n● a\n○ b\nThank you.', false],
    ['a numbered list in an answer', 'Here is what I did:\n 1. read the file\n 2. changed it\n\n❯ ', true],
    ['a list that begins elsewhere', '❯ 3. three\n  4. four\nEsc to cancel', true],
    ['a choice without a second', '❯ 1. Yes\nEsc to cancel', true],
    ['an input box', '❯ \n ? for shortcuts', true],
    ['an editor with a hint and its cursor', 'Allow this?\n enter to confirm', true],
  ])('is not %s', (_name, text, visible) => assert.equal(signs(text, visible).dialog, null))
})

test.each([
  ['❯ \n  ⏸ manual mode on · esc to interrupt', true],
  ['• Working (1s • esc to interrupt)', true],
  [' ⠇ Thinking... (esc to cancel, 1s)', true],
  ['   ■■⬝⬝⬝⬝⬝⬝  esc interrupt', true],
  ['   ■■⬝⬝⬝⬝⬝⬝  esc again to interrupt', true],
  [' ◉ Working · 56 B esc esc interrupt', true],
  [' ◉ Working esc esc edit prompt      scripted-model', true],
  ['   ~/work                ctrl+p commands', false],
  ['The escape key interrupts nothing here', false],
])('%j: interruptible is %j', (text, interruptible) => assert.equal(signs(text, true).interruptible, interruptible))
