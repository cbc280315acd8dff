import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import { settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { CopilotEntry } from './copilot-entry.ts'

const token = 'a-token-of-the-test'
const theirs = '{"mcpServers":{"terminal-agent":{"type":"http","url":"http://127.0.0.1:17580/mcp","tools":["*"]}}}'
let folder: string
let entry: CopilotEntry | null = null

beforeEach(() => {
  forgetAll()
  folder = mkdtempSync(join(tmpdir(), 'agentpty-copilot-'))
})
afterEach(() => {
  entry?.dispose()
  rmSync(folder, { recursive: true })
})

/** Opens a connected window of a user with this file. */
async function begin(text: string | null, more: { readonly problem?: string; readonly memory?: object } = {}) {
  const file = join(folder, 'mcp-config.json')
  if (text !== null) writeFileSync(file, text)
  writeFileSync(join(folder, 'token'), `${token}\n`)
  const memory = new Map<string, unknown>(Object.entries(more.memory ?? {}))
  const logged: string[] = []
  const ran: string[] = []
  const run = async (args: readonly string[]) => {
    ran.push(args.join(' '))
    return { clients: [{ kind: more.problem === undefined ? 'update' : 'problem', detail: more.problem }] }
  }
  const status = async () => ({ http: { url: 'http://127.0.0.1:17580' } })
  entry?.dispose()
  entry = new CopilotEntry({
    client: new Observable<WireClient | null>({ control: { status } } as unknown as WireClient),
    tokenFile: join(folder, 'token'),
    run,
    memory: {
      keys: () => [...memory.keys()],
      get: (key: string, otherwise?: unknown) => memory.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => void memory.set(key, value),
    } as never,
    log: (line) => logged.push(line),
    file,
  })
  await settled()
  return { file, memory, logged, ran, check: () => entry?.check() }
}

const answer = async (given: string | undefined) => {
  editor.asked.at(-1)?.answer(given)
  await settled()
}
const written = 'init --client copilot --toolset terminal-agent --yes --json --http'

test('asks about an entry without a token, and writes nothing before the answer', async () => {
  const { ran, file, check } = await begin(theirs)
  expect(editor.asked).toHaveLength(1)
  expect(editor.asked[0]?.text).toContain('without a token')
  await check()
  expect([editor.asked.length, ran]).toEqual([1, []])
  expect(readFileSync(file, 'utf8')).toBe(theirs)
})

test('after consent, agentpty init writes it, and it can be undone', async () => {
  const { ran } = await begin(theirs)
  await answer('Update the Entry')
  expect(ran).toEqual([written])
  expect(editor.asked.at(-1)?.choices).toEqual(['Undo'])
  await answer('Undo')
  expect(ran[1]).toBe('init --client copilot --toolset terminal-agent --yes --json --undo')
})

test('a dismissed question is asked again by the next window, a refusal is not', async () => {
  const first = await begin(theirs)
  await answer(undefined)
  await first.check()
  expect(editor.asked).toHaveLength(1)
  const second = await begin(theirs, { memory: Object.fromEntries(first.memory) })
  expect(editor.asked).toHaveLength(2)
  await answer('Don’t Ask Again')
  await begin(theirs, { memory: Object.fromEntries(second.memory) })
  expect(editor.asked).toHaveLength(2)
})

test('a file that cannot be written is reported and left unchanged', async () => {
  await begin(theirs, { problem: 'line 3: CommaExpected; it is left alone' })
  await answer('Update the Entry')
  expect(editor.asked.at(-1)?.text).toContain('is left as it is: line 3')
})

test('an entry removed by terminal-agent’s uninstallation is restored after consent', async () => {
  editor.extensions.push({ packageJSON: { name: 'terminal-agent' } })
  const { ran, file } = await begin(theirs)
  expect(editor.asked[0]?.text).toContain('Uninstall terminal-agent afterwards.')
  await answer('Update the Entry')
  writeFileSync(file, '{}')
  editor.events.focus.fire({ focused: true })
  await settled()
  expect(ran).toEqual([written])
  editor.extensions.length = 0
  editor.events.extensions.fire()
  await settled()
  expect(ran).toEqual([written, written])
  expect(editor.said.at(-1)).toContain('leads to agentpty again')
})

test('nothing is asked without terminal-agent’s entry, and an unreadable file is left alone', async () => {
  await begin(null)
  const { logged, ran } = await begin('{"mcpServers": {')
  expect([editor.asked, ran]).toEqual([[], []])
  expect(logged.join()).toContain('it is left alone')
})

test('nothing is asked if terminalAgent.autoRegister is false', async () => {
  editor.settings.set('terminalAgent.autoRegister', false)
  await begin(theirs)
  expect(editor.asked).toEqual([])
})

test('no log, question or command line contains the token', async () => {
  const { logged, ran } = await begin(theirs)
  await answer('Update the Entry')
  const all = [...logged, ...ran, ...editor.said, ...editor.asked.map(({ text }) => text)].join('\n')
  expect(all).not.toContain(token)
})
