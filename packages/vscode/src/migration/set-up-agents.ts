/** `agentpty init` in the editor: choose the tools, review the changes, then apply them. */

import type { RegistrationChange } from '@agentpty/protocol/setup'
import * as vscode from 'vscode'
import type { RunProgram } from '../link/run-program.ts'

interface Way {
  readonly label: string
  readonly detail: string
  readonly args: readonly string[]
}

const ways: readonly Way[] = [
  { label: 'agentpty’s own tools', detail: 'Each agent starts the command agentpty mcp.', args: [] },
  {
    label: 'agentpty’s own tools, by address',
    detail: 'With a token, at the running server. Nothing is started.',
    args: ['--http'],
  },
  {
    label: 'The tools of terminal-agent',
    detail: 'For former users of terminal-agent: the same names and results.',
    args: ['--toolset', 'terminal-agent'],
  },
  { label: 'Undo', detail: 'Restore the previous contents of the files.', args: ['--undo'] },
]

const would: Readonly<Record<RegistrationChange['kind'], string>> = {
  add: 'would be added',
  update: 'would be changed',
  remove: 'would be removed',
  restore: 'would be restored',
  same: 'is correct',
  problem: 'cannot be changed',
}

export async function setUpAgents(run: RunProgram): Promise<void> {
  const title = 'Set up agents: which tools?'
  const way = await vscode.window.showQuickPick(ways, { title, matchOnDetail: true })
  if (way === undefined) return
  const changes = await changesOf(run, [...way.args])
  const open = changes.filter(({ kind }) => kind !== 'same')
  if (open.length === 0) return void vscode.window.showInformationMessage(nothingWords(changes))
  const picks = open.map((change) => ({
    label: change.title,
    description: would[change.kind],
    detail: [change.path, change.detail, change.note].filter((part) => part !== '').join(' — '),
    picked: change.kind !== 'problem',
    change,
  }))
  const chosen = await vscode.window.showQuickPick(picks, {
    canPickMany: true,
    title: 'Nothing is changed yet. Choose the files to change as shown.',
  })
  const clients = (chosen ?? []).flatMap(({ change }) => (change.kind === 'problem' ? [] : ['--client', change.client]))
  if (clients.length === 0) return
  const done = await changesOf(run, [...way.args, ...clients, '--yes'])
  const failed = done.filter(({ kind }) => kind === 'problem')
  for (const { title: whose, path, detail } of failed)
    void vscode.window.showWarningMessage(`${whose}: ${path} is left alone: ${detail}.`)
  const changed = done.filter(({ kind }) => kind !== 'problem').map((one) => one.title)
  if (changed.length === 0) return
  const more = way.args.includes('--undo')
    ? ''
    : ' Restart their sessions. “Undo” in the same command restores the files.'
  void vscode.window.showInformationMessage(`Changed: ${changed.join(', ')}.${more}`)
}

async function changesOf(run: RunProgram, args: readonly string[]): Promise<readonly RegistrationChange[]> {
  const { clients } = await run(['init', ...args, '--json'])
  return Array.isArray(clients) ? clients : []
}

function nothingWords(changes: readonly RegistrationChange[]): string {
  if (changes.length === 0) return 'No agent was found on this machine.'
  return `Nothing is to be done for: ${changes.map(({ title }) => title).join(', ')}.`
}
