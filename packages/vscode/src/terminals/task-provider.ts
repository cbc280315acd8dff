/** Tasks of the type `agentpty`: a command in a terminal of the daemon, with the problem matchers of tasks.json. */

import { homedir } from 'node:os'
import * as vscode from 'vscode'
import { TaskTerminal, type TaskTerminalParts } from './task-terminal.ts'

export const taskType = 'agentpty'

export type ProvideTasksParts = Omit<TaskTerminalParts, 'program'>

export function provideTasks(parts: ProvideTasksParts): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(taskType, {
    // There are none but those of tasks.json.
    provideTasks: () => [],
    resolveTask: (task) => resolved(task, parts),
  })
}

/** Undefined for a task without a command. */
function resolved(task: vscode.Task, parts: ProvideTasksParts): vscode.Task | undefined {
  const { definition, name, scope = vscode.TaskScope.Workspace } = task
  if (typeof definition['command'] !== 'string') return undefined
  // The editor replaces variables in the definition only when the task starts.
  const execution = new vscode.CustomExecution(async (started) => {
    const program = { name, ...programOf(started, folderOf(scope)) }
    return new TaskTerminal({ ...parts, program })
  })
  return new vscode.Task(definition, scope, name, taskType, execution)
}

function folderOf(scope: vscode.TaskScope | vscode.WorkspaceFolder): string {
  if (typeof scope === 'object') return scope.uri.fsPath
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir()
}

/** The properties of the task, as package.json declares them. */
interface Declared extends vscode.TaskDefinition {
  readonly command?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

function programOf({ command = '', cwd, env }: Declared, folder: string) {
  return { command, cwd: cwd ?? folder, env }
}
