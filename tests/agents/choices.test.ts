/** Recorded dialogs of five real agents: their options, and the highlighted one. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { choicesOf, type DialogChoices, Screen } from '@agentpty/engine/screen'
import { openFakeSession } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { loadGolden } from '../golden/replay.ts'

const folder = join(import.meta.dirname, 'recordings')
/** The screen is read at intervals, as by a watching client. */
const readEvery = 50

/** The screen just before the first key after the mark. */
async function dialogOf(client: string, mark: string): Promise<DialogChoices | null> {
  const { cols, rows, marks, timing } = JSON.parse(readFileSync(join(folder, `${client}.json`), 'utf8'))
  const bytes = gunzipSync(readFileSync(join(folder, `${client}.raw.gz`)))
  const { session, pty, clock } = openFakeSession({ info: { shell: null, argv: [client] }, size: { cols, rows } })
  const at = marks.findIndex(({ what }: { what: string }) => what === mark)
  const before = timing.filter(([when]: readonly number[]) => (when ?? 0) < marks[at + 1].at)
  let offset = 0
  for (const [index, [, count]] of before.entries()) {
    pty.prints(bytes.subarray(offset, offset + count))
    offset += count
    clock.advance(20)
    if (index % readEvery === 0) await session.screen()
  }
  return choicesOf((await session.screen()).picture())
}

const colours = ['Which colour?', 'Red', 'Blue']

test.each<[string, string, readonly string[]]>([
  ['claude', 'first question', ['Security guide', 'No, exit', 'Yes, I trust this folder']],
  [
    'claude',
    'permission',
    ['Do you want to proceed?', 'Yes', 'Yes, and always allow access to', 'Yes, and switch', 'No'],
  ],
  ['claude', 'question', [...colours, 'Type something.', 'Chat about this']],
  ['codex', 'permission', ['Reason: May I create asked.txt?', 'Yes, proceed (y)', 'Yes, and don', 'No, and']],
  ['gemini', 'first question', ['Do you trust the files', 'Trust folder (work)', 'Trust parent folder', "Don't trust"]],
  [
    'gemini',
    'permission',
    ['Allow execution of [Shell]?', 'Allow once', 'Allow for this session', 'No, suggest changes'],
  ],
  ['gemini', 'question', [...colours, 'Enter a custom value']],
  ['opencode', 'permission', ['$ touch asked.txt', 'Allow once', 'Allow always', 'Reject']],
  ['opencode', 'question', [...colours, 'Type your own answer']],
  ['copilot', 'first question', ['Do you trust the files', 'Yes', 'Yes, and remember', 'No (Esc)']],
  ['copilot', 'permission', ['Do you want to run this command?', 'Yes', 'Yes, and don', 'No, and tell Copilot']],
  ['copilot', 'question', [...colours, 'Other (type your answer)']],
])('%s: %s', async (client, mark, [question = '', ...labels]) => {
  const dialog = await dialogOf(client, mark)
  expect(dialog?.question.startsWith(question), dialog?.question).toBe(true)
  expect(dialog?.groups).toHaveLength(1)
  const [group] = dialog?.groups ?? []
  expect(group?.choices.map(({ label }, index) => label.slice(0, labels[index]?.length))).toEqual(labels)
  // In this recording, the key was drawn before it was noted.
  expect(group?.highlighted).toBe(client === 'claude' && mark === 'first question' ? 1 : 0)
})

test('dialog(1) has a list and buttons, each with its own highlight', async () => {
  const { cols, rows, bytes } = loadGolden('dialog-menu')
  const screen = new Screen({ cols, rows, scrollbackRows: 100, offset: 0, version: '0', onReply: () => {} })
  await new Promise<void>((parsed) => screen.feed(bytes, parsed))
  const dialog = choicesOf(screen.picture())
  screen.dispose()
  expect(dialog?.question).toBe('What shall it be?')
  expect(dialog?.groups.map(({ layout, choices, highlighted }) => [layout, choices[highlighted ?? -1]?.label])).toEqual(
    [
      ['down', 'cocoa   for the child'],
      ['across', 'Cancel'],
    ],
  )
})
