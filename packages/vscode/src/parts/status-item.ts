/** In the bar below: how many terminals there are, and how many of them need somebody. */

import * as vscode from 'vscode'
import type { Overview } from '../../../agentpty/src/faces/overview/overview.ts'
import type { Held } from '../link/held.ts'
import type { LinkState } from '../link/link.ts'

export function statusItem(overview: Held<Overview | null>, state: Held<LinkState>): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('agentpty.status', vscode.StatusBarAlignment.Left, 0)
  item.name = 'agentpty'
  const draw = () => {
    const now = state.peek()
    const { rows = [], needs = [] } = overview.peek() ?? {}
    const isLost = now.kind === 'lost'
    item.text = isLost
      ? '$(warning) agentpty'
      : `$(terminal) ${rows.length}${needs.length === 0 ? '' : ` $(bell-dot) ${needs.length}`}`
    item.tooltip = isLost
      ? `${now.error.message} ${now.error.hint}`
      : `agentpty: ${rows.length} terminals, ${needs.length} waiting for you`
    item.command = isLost ? 'agentpty.showLog' : 'agentpty.terminals.focus'
    item.backgroundColor =
      needs.length === 0 && !isLost ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground')
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
