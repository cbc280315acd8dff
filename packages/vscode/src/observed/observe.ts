/** The editor's own terminals: their view and commands. Disabled by a setting. */

import { systemClock } from '@agentpty/engine/system-clock'
import { isTermError } from '@agentpty/protocol'
import * as vscode from 'vscode'
import { wordsOf } from '../terminals/session-terminal.ts'
import { type ObservedTerminal, ObservedTerminals, observedFolder, observedName } from './observed-terminals.ts'
import { type PolicyVerdict, registerObservedTools } from './observed-tools.ts'
import { type ObservedNode, ObservedView } from './observed-view.ts'
import { assertMayRun } from './run-observed.ts'

export interface ObserveParts {
  /** Returns whether it is one of agentpty's tabs. */
  readonly isOurs: (terminal: vscode.Terminal) => boolean
  /** Opens a shell owned by the daemon and shows it. */
  readonly openShellIn: (cwd: string | null) => Promise<void>
  readonly judge: (line: string, cwd: string) => Promise<PolicyVerdict>
}

export function observeTerminals(parts: ObserveParts): vscode.Disposable {
  let on: vscode.Disposable | null = null
  const look = () => {
    const isWanted = vscode.workspace.getConfiguration('agentpty').get<boolean>('observeTerminals', true)
    if (isWanted === (on !== null)) return
    on?.dispose()
    on = isWanted ? observe(parts) : null
  }
  look()
  const heard = vscode.workspace.onDidChangeConfiguration(
    (change) => change.affectsConfiguration('agentpty.observeTerminals') && look(),
  )
  return {
    dispose: () => {
      heard.dispose()
      on?.dispose()
    },
  }
}

function observe({ isOurs, openShellIn, judge }: ObserveParts): vscode.Disposable {
  const observed = new ObservedTerminals({ isOurs, clock: systemClock })
  const view = new ObservedView(observed)
  const chosen = async (node: ObservedNode | undefined): Promise<ObservedTerminal | null> => {
    if (node?.kind === 'terminal') return observed.find(node.id)
    return observed.of(vscode.window.activeTerminal) ?? (await pick(observed))
  }
  const on = (does: (one: ObservedTerminal) => Promise<void>) => async (node?: ObservedNode) => {
    const one = await chosen(node)
    try {
      if (one !== null) await does(one)
    } catch (error) {
      const words = isTermError(error) ? error.message : wordsOf(error)
      void vscode.window.showWarningMessage(words)
    }
  }
  return vscode.Disposable.from(
    observed,
    view,
    vscode.commands.registerCommand('agentpty.observed.showSelected', () => {
      if (view.selected?.kind === 'terminal') observed.find(view.selected.id)?.terminal.show()
    }),
    vscode.commands.registerCommand(
      'agentpty.observed.show',
      on(async ({ terminal }) => terminal.show()),
    ),
    vscode.commands.registerCommand(
      'agentpty.observed.run',
      on((one) => runByPerson(observed, one)),
    ),
    vscode.commands.registerCommand(
      'agentpty.observed.continue',
      on((one) => goOnIn(one, openShellIn)),
    ),
    registerObservedTools({ observed, clock: systemClock, judge }),
  )
}

async function pick(observed: ObservedTerminals): Promise<ObservedTerminal | null> {
  const picks = observed.all.map((one) => ({ label: observedName(one), description: observedFolder(one) ?? '', one }))
  if (picks.length === 0) throw new Error('The editor has no terminals of its own open.')
  return (await vscode.window.showQuickPick(picks, { title: 'Which of the editor’s own terminals?' }))?.one ?? null
}

/** Checks again after the line was entered, because a command may have started meanwhile. */
async function runByPerson(observed: ObservedTerminals, one: ObservedTerminal): Promise<void> {
  assertMayRun(observed, one)
  const line = await vscode.window.showInputBox({ title: `Run a command in ${observedName(one)}` })
  if (!line) return
  assertMayRun(observed, one).executeCommand(line)
  one.terminal.show(true)
}

async function goOnIn(one: ObservedTerminal, openShellIn: ObserveParts['openShellIn']): Promise<void> {
  const folder = observedFolder(one)
  await openShellIn(folder)
  const where = folder === null ? 'the folder of this window, because the old shell does not report its own' : folder
  void vscode.window.showInformationMessage(
    `A new shell of agentpty is in ${where}. “${observedName(one)}” is still open: its programs, variables and screen stay there.`,
  )
}
