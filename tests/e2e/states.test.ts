/** All views of a terminal agree: the list for models and the command line, the rows of the page, of the tree and of VS Code, and Needs. */

import { join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import { entryWords, type Overview, rowWords } from '@agentpty/protocol/overview'
import { changedBy } from '@agentpty/protocol/testing'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

const dialogs = join(import.meta.dirname, 'dialogs.mjs')
const bash = (script: string) => ['bash', '-c', script]

/** Each with the state that programs read, and the words that persons read in all views. */
const states: readonly (readonly [what: string, opened: VerbInput<'create'>, shown: string, words: string])[] = [
  ['a prompt of bash', { shell: 'bash' }, 'ready (shell)', 'at its prompt'],
  ['a prompt of zsh', { shell: 'zsh' }, 'ready (shell)', 'at its prompt'],
  ['a prompt of fish', { shell: 'fish' }, 'ready (shell)', 'at its prompt'],
  ['a prompt of dash', { shell: 'dash' }, 'ready (shell)', 'at its prompt'],
  ['a password', { command: bash("read -rsp 'Password: ' x") }, 'ready (password)', 'asks for a password'],
  ['a passphrase', { command: bash("read -rsp 'Passphrase for key: ' x") }, 'ready (password)', 'asks for a password'],
  ['a confirmation', { command: bash("read -rp 'Go on? [y/N] ' x") }, 'ready (line)', 'asks yes or no'],
  ['a question', { command: bash("read -rp 'Your name: ' x") }, 'ready (line)', 'asks for a line'],
  ['a line without words', { command: bash('read -r x') }, 'ready (line)', 'asks for a line'],
  ['cat', { command: ['cat'] }, 'ready (line)', 'asks for a line'],
  ['a key', { command: bash("read -rsn1 -p 'Press any key to continue' x") }, 'ready (key)', 'asks for a key'],
  ['Python', { command: ['python3', '-q'] }, 'ready (repl)', 'at its prompt'],
  ['Node', { command: ['node'] }, 'ready (repl)', 'at its prompt'],
  ['a shell that bash starts', { command: bash('exec sh -i') }, 'ready (shell)', 'at its prompt'],
  ['a pager', { command: bash('seq 1 500 | less') }, 'ready (pager)', 'asks for keys (pager)'],
  ['an editor', { command: ['vim', '-u', 'NONE', '-n'] }, 'ready (tui)', 'asks for keys'],
  ['a dialog with numbers', { command: ['node', dialogs, 'digits'] }, 'ready (menu)', 'asks a question'],
  ['a dialog with a pointer', { command: ['node', dialogs, 'pointed'] }, 'ready (menu)', 'asks a question'],
  ['a dialog with a style', { command: ['node', dialogs, 'styled'] }, 'ready (menu)', 'asks a question'],
  ['a dialog across', { command: ['node', dialogs, 'across'] }, 'ready (menu)', 'asks a question'],
  ['sleep', { command: ['sleep', '1000'] }, 'busy', 'working'],
  ['a loop', { command: bash('while :; do sleep 0.2; done') }, 'busy', 'working'],
  ['a flood', { command: bash('while :; do echo line; sleep 0.05; done') }, 'busy', 'working'],
  ['output, then work', { command: bash('echo begun; sleep 1000') }, 'busy', 'working'],
  ['a server', { command: ['python3', '-m', 'http.server', '0', '--bind', '127.0.0.1'] }, 'busy', 'working'],
  ['an end', { command: ['true'] }, 'exited 0', 'ended'],
  ['a failure', { command: bash('exit 3') }, 'exited 3', 'ended (exit 3)'],
  ['a signal', { command: bash('kill -9 $$') }, 'exited SIGKILL', 'ended (SIGKILL)'],
  ['an unknown command', { command: bash('no-such-command') }, 'exited 127', 'ended (exit 127)'],
  ['a shell that ended', { command: bash('exec bash -c "exit 1"') }, 'exited 1', 'ended (exit 1)'],
]

type Listed = VerbOutput<'list'>['terminals'][number]

/** The states that need a person. */
const needy: ReadonlySet<string> = new Set(['asks for a password', 'asks yes or no', 'asks a question'])

const shownIn = ({ state, kind, exitCode, signal }: Listed) =>
  state === 'exited' ? `exited ${signal ?? exitCode}` : kind === undefined ? state : `${state} (${kind})`

/** The overview as the page, the tree and VS Code follow it, once it is as expected. */
async function overviewWhere(client: Client, holds: (overview: Overview) => Promise<boolean>): Promise<Overview> {
  let overview: Overview = { rows: [], nodes: [], needs: [] }
  for await (const event of client.watch({ overview: true })) {
    overview = changedBy(overview, event)
    if (await holds(overview)) return overview
  }
  throw new Error('The daemon has ended.')
}

test('a terminal in any of 30 states is shown alike by every view', async () => {
  const client = await instance.rpc({}, { isPerson: true })
  const open = async ([what, input, shown, words]: (typeof states)[number]) => {
    const { terminalId } = await client.call('create', { ...input, waitFor: 'none' })
    return { what, terminalId, shown, words }
  }
  const opened = await Promise.all(states.map(open))
  const listed = async () => {
    const { terminals } = await client.call('list', {})
    return new Map(terminals.map((terminal) => [terminal.terminalId, terminal]))
  }
  const hasSettled = async () => {
    const now = await listed()
    return opened.every(({ terminalId, shown }) => shownIn(now.get(terminalId) as Listed) === shown)
  }
  const inRow = (row: Overview['rows'][number]) =>
    row.state === 'exited'
      ? `exited ${row.signal ?? row.exitCode}`
      : row.kind === null
        ? row.state
        : `${row.state} (${row.kind})`
  const isShown = ({ rows, needs }: Overview) =>
    opened.every(({ terminalId, shown, words }) => {
      const row = rows.find((one) => one.terminalId === terminalId)
      const isNeeded = needs.some((need) => need.terminalId === terminalId)
      const mustNeed = needy.has(words)
      return row !== undefined && inRow(row) === shown && (!mustNeed || (isNeeded && row.need !== null))
    })
  const overview = await overviewWhere(client, async (now) => isShown(now) && (await hasSettled()))

  const now = await listed()
  const listing = (await instance.cli('ls')).stdout
  const tree = (await instance.cli('tree', '--once')).stdout
  const lineOf = (text: string, terminalId: string) =>
    text.split('\n').find((line) => line.startsWith(`${terminalId} `))
  for (const { what, terminalId, shown, words } of opened) {
    const row = overview.rows.find((one) => one.terminalId === terminalId)
    const terminal = now.get(terminalId)
    expect.soft(terminal === undefined ? null : shownIn(terminal), what).toBe(shown)
    for (const text of [listing, tree]) expect.soft(lineOf(text, terminalId), what).toContain(` ${words} `)
    expect.soft(row && rowWords(row), what).toBe(words)
    expect.soft(row && entryWords({ id: terminalId, row, node: null }), what).toBe(words)
    expect.soft(row, what).toMatchObject({ state: terminal?.state, kind: terminal?.kind ?? null })
    const need = overview.needs.find((one) => one.terminalId === terminalId)
    expect.soft(row?.need ?? null, what).toBe(need?.kind ?? null)
  }
})
