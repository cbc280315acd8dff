/** Support for former users of terminal-agent: its command names, its settings and its entry for Copilot CLI. */

import * as vscode from 'vscode'
import type { Link } from '../link/link.ts'
import type { RunProgram } from '../link/run-program.ts'
import { wordsOf } from '../terminals/session-terminal.ts'
import { CopilotEntry } from './copilot-entry.ts'
import { keepOldNames } from './old-names.ts'
import { setUpAgents } from './set-up-agents.ts'

export interface ComingParts {
  readonly link: Link
  readonly run: RunProgram
  readonly log: vscode.LogOutputChannel
  readonly tokenFile: string
  readonly memory: vscode.Memento
}

export function comeFromTerminalAgent({ link, run, log, tokenFile, memory }: ComingParts): vscode.Disposable {
  const setUp = async () => {
    try {
      await setUpAgents(run)
    } catch (error) {
      void vscode.window.showWarningMessage(wordsOf(error))
    }
  }
  return vscode.Disposable.from(
    keepOldNames({ link, log }),
    new CopilotEntry({ client: link.client, tokenFile, run, memory, log: (line) => log.info(line) }),
    vscode.commands.registerCommand('agentpty.setUpAgents', setUp),
  )
}
