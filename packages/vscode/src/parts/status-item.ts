/** The status bar item: the number of terminals and of open requests to a person. */

import type { Overview } from '@agentpty/protocol/overview'
import * as vscode from 'vscode'
import type { LinkState } from '../link/link.ts'
import type { Observable } from '../link/observable.ts'

export function statusItem(overview: Observable<Overview | null>, state: Observable<LinkState>): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('agentpty.status', vscode.StatusBarAlignment.Left, 0)
  item.name = 'agentpty'
  const draw = () => {
    const { text, tooltip, command, isWarning } = lookOf(state.peek(), overview.peek())
    Object.assign(item, { text, tooltip, command })
    item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined
  }
  const stops = [overview.subscribe(draw), state.subscribe(draw)]
  item.show()
  return {
    dispose: () => {
      for (const stop of stops) stop()
      item.dispose()
    },
  }
}

interface Look {
  readonly text: string
  readonly tooltip: string
  readonly command: string
  readonly isWarning: boolean
}

export function lookOf(state: LinkState, overview: Overview | null): Look {
  if (state.kind === 'lost') {
    const tooltip = `${state.error.message} ${state.error.hint}`
    return { text: '$(warning) agentpty', tooltip, command: 'agentpty.showLog', isWarning: true }
  }
  if (state.kind === 'stopped') {
    const tooltip = 'agentpty was stopped from this window. Click to start it.'
    return { text: '$(circle-slash) agentpty', tooltip, command: 'terminalAgent.start', isWarning: false }
  }
  const command = 'agentpty.terminals.focus'
  if (overview === null)
    return { text: '$(terminal) agentpty', tooltip: 'agentpty: connecting', command, isWarning: false }
  const { rows, needs } = overview
  return {
    text: `$(terminal) ${rows.length}${needs.length === 0 ? '' : ` $(bell-dot) ${needs.length}`}`,
    tooltip: `agentpty: ${rows.length} terminals, ${needs.length} waiting for you`,
    command,
    isWarning: needs.length > 0,
  }
}
