/** The texts of the tools for the editor's own terminals, as in package.json. */

const when =
  "config.agentpty.observeTerminals && (config.agentpty.agentTools == 'editor' || config.agentpty.agentTools == 'both')"

export const listTool = 'agentpty_editor_terminals'
export const runTool = 'agentpty_editor_terminal_run'

const about = { canBeReferencedInPrompt: true, icon: '$(eye)', tags: ['terminal', 'agentpty'], when }

export const observedTools = [
  {
    name: listTool,
    toolReferenceName: listTool,
    displayName: 'List the editor’s own terminals',
    userDescription: 'Name, folder and last commands of terminals that are not agentpty’s',
    modelDescription:
      'The editor’s own terminals, which the person opened: name, pid, cwd, whether a command runs, the last commands with exit codes. Their output is not known. For terminals that you can read and type into: agentpty_terminal_create.',
    ...about,
    inputSchema: { type: 'object', properties: {} },
  },
  {
    name: runTool,
    toolReferenceName: runTool,
    displayName: 'Run a command in one of the editor’s own terminals',
    userDescription: 'Runs a command in a terminal that is not agentpty’s, when nothing runs there',
    modelDescription:
      'Run one command in one of the editor’s own terminals (its shell, cwd, variables), only while nothing runs there; returns output and exit code. Cannot answer questions of the command. Prefer agentpty_terminal_run unless it must be that terminal.',
    ...about,
    inputSchema: {
      type: 'object',
      properties: {
        terminal: { type: 'string', description: 'id from agentpty_editor_terminals' },
        command: { type: 'string', description: 'one line' },
        timeoutMs: { type: 'integer', description: 'default 30000' },
      },
      required: ['terminal', 'command'],
    },
  },
] as const
