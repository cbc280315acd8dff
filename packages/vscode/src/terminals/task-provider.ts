/** Tasks of the type `agentpty`: a command in a terminal of the daemon, with the problem matchers of tasks.json. */

import { homedir } from 'node:os'
import * as vscode from 'vscode'
import { type TaskProgram, TaskTerminal, type TaskTerminalParts } from './task-terminal.ts'

export const taskType = 'agentpty'

export type ProvideTasksParts = Omit<TaskTerminalParts, 'program'>

export function provideTasks(parts: ProvideTasksParts): vscode.Disposable {
  /** The newest run of each task, by its name. */
  const runs = new Map<string, TaskTerminal>()
  /** The editor uses the tab of an ended run for the next one, without closing it. */
  const start = async (program: TaskProgram): Promise<TaskTerminal> => {
    const before = runs.get(program.name)
    if (before?.hasEnded) await before.closeSession()
    const terminal = new TaskTerminal({ ...parts, program })
    runs.set(program.name, terminal)
    return terminal
  }
  return vscode.tasks.registerTaskProvider(taskType, {
    // There are none but those of tasks.json.
    provideTasks: () => [],
    resolveTask: (task) => resolved(task, start),
  })
}

/** Undefined for a task without a command. */
function resolved(task: vscode.Task, start: (program: TaskProgram) => Promise<TaskTerminal>): vscode.Task | undefined {
  const { definition, name, scope = vscode.TaskScope.Workspace } = task
  if (typeof definition['command'] !== 'string') return undefined
  // The editor replaces variables in the definition only when the task starts.
  const execution = new vscode.CustomExecution((started) => start({ name, ...programOf(started, folderOf(scope)) }))
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
