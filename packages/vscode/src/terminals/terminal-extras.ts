/** The features of the editor's own terminals that others need help for: links to files by relative paths, and tasks with problem matchers. */

import { systemClock } from '@agentpty/engine/system-clock'
import type { Overview } from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { providePathLinks } from './path-links.ts'
import { isOurTab } from './session-terminal.ts'
import type { Tabs } from './tabs.ts'
import { provideTasks } from './task-provider.ts'

export interface TerminalExtrasParts {
  readonly client: Observable<WireClient | null>
  readonly overview: Observable<Overview | null>
  readonly tabs: Tabs
  readonly say: (words: string) => void
  /** Returns whether the terminals are on this machine, whose files the editor opens. */
  readonly isHere: () => boolean
}

export function provideTerminalExtras({ client, overview, tabs, say, isHere }: TerminalExtrasParts): vscode.Disposable {
  const foldersOf = (terminal: vscode.Terminal): readonly string[] => {
    const id = tabs.idOf(terminal)
    const row = overview.peek()?.rows.find(({ terminalId }) => terminalId === id)
    if (row === undefined || !isHere()) return []
    return [row.cwd, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath)]
  }
  const tasks = new Set<string>()
  const stop = overview.subscribe((now) => {
    // The editor itself shows that a task has failed.
    for (const { kind, needId, terminalId } of now?.needs ?? [])
      if (kind === 'failure' && terminalId !== null && tasks.delete(terminalId))
        void client
          .peek()
          ?.call('dismiss', { needId })
          .catch(() => undefined)
  })
  return vscode.Disposable.from(
    { dispose: stop },
    vscode.window.registerTerminalLinkProvider(providePathLinks(foldersOf)),
    provideTasks({
      client,
      say,
      clock: systemClock,
      opening: (open) => tabs.opening(open),
      opened: (terminalId, pty, name) => {
        tasks.add(terminalId)
        tabs.adopt(terminalId, pty, terminalOf(name))
      },
      closed: (terminalId) => tabs.forget(terminalId),
    }),
  )
}

/** The editor reports no terminal for a task, so its tab is found by its name; the newest one counts. */
const terminalOf = (name: string): vscode.Terminal | null =>
  vscode.window.terminals.findLast((terminal) => terminal.name === name && !isOurTab(terminal)) ?? null
