/**
 * The one table of agents, and of the programs that host one, by name. Every list of them is read from here:
 * registration, the MCP server, the doors and the bench. No rule about terminals depends on it.
 */

interface RosterRow {
  /** Its name on our command line. */
  readonly name: string
  readonly title: string
  /** Commands whose presence shows that it is installed. */
  readonly commands: readonly string[]
  /** The command that starts it as an agent in a terminal; null for editors and for programs without one. */
  readonly agentCommand: string | null
  /** Its position among the agents that are suggested; null: it is not suggested. */
  readonly suggestedAs: number | null
  /** How its name as an MCP client begins; null: the name does not matter, or is not known. */
  readonly mcpName: string | null
  /** agentpty can write itself into its configuration. */
  readonly isRegistrable: boolean
  /** The variables that it passes on to the MCP servers it starts, besides those in their entries; null: all. */
  readonly passes: readonly string[] | null
}

/** DEFAULT_ENV_VARS in codex-rs/rmcp-client/src/utils.rs; tests/clients compares it with the real program. */
const codexPasses = 'HOME LOGNAME PATH SHELL USER __CF_USER_TEXT_ENCODING LANG LC_ALL TERM TMPDIR TZ'.split(' ')
/** DEFAULT_INHERITED_ENV_VARS of the MCP library for TypeScript. */
const libraryPasses = 'HOME LOGNAME PATH SHELL TERM USER'.split(' ')

// biome-ignore format: a table is read by its columns
const rows = [
  { name: 'claude', title: 'Claude Code', commands: ['claude'], agentCommand: 'claude', suggestedAs: 1, mcpName: 'claude-code', isRegistrable: true, passes: null },
  { name: 'codex', title: 'Codex', commands: ['codex'], agentCommand: 'codex', suggestedAs: 2, mcpName: 'codex-mcp-client', isRegistrable: true, passes: codexPasses },
  { name: 'gemini', title: 'Gemini CLI', commands: ['gemini'], agentCommand: 'gemini', suggestedAs: 3, mcpName: 'gemini-cli-mcp-client', isRegistrable: true, passes: null },
  { name: 'copilot', title: 'Copilot CLI', commands: ['copilot'], agentCommand: 'copilot', suggestedAs: 5, mcpName: 'copilot-cli', isRegistrable: true, passes: null },
  { name: 'opencode', title: 'opencode', commands: ['opencode'], agentCommand: 'opencode', suggestedAs: 4, mcpName: 'opencode', isRegistrable: true, passes: null },
  { name: 'qwen', title: 'Qwen Code', commands: ['qwen'], agentCommand: 'qwen', suggestedAs: null, mcpName: 'qwen-cli', isRegistrable: true, passes: null },
  { name: 'cursor', title: 'Cursor', commands: ['cursor', 'cursor-agent'], agentCommand: 'cursor-agent', suggestedAs: 6, mcpName: null, isRegistrable: true, passes: null },
  { name: 'windsurf', title: 'Windsurf', commands: ['windsurf'], agentCommand: null, suggestedAs: null, mcpName: null, isRegistrable: true, passes: null },
  { name: 'vscode', title: 'VS Code', commands: ['code'], agentCommand: null, suggestedAs: null, mcpName: null, isRegistrable: true, passes: null },
  { name: 'claude-desktop', title: 'Claude Desktop', commands: [], agentCommand: null, suggestedAs: null, mcpName: null, isRegistrable: true, passes: libraryPasses },
  { name: 'zed', title: 'Zed', commands: ['zed'], agentCommand: null, suggestedAs: null, mcpName: null, isRegistrable: true, passes: null },
  { name: 'goose', title: 'Goose', commands: ['goose'], agentCommand: 'goose', suggestedAs: null, mcpName: null, isRegistrable: true, passes: null },
  { name: 'aider', title: 'aider', commands: ['aider'], agentCommand: 'aider', suggestedAs: 7, mcpName: null, isRegistrable: false, passes: null },
  { name: 'amp', title: 'Amp', commands: ['amp'], agentCommand: 'amp', suggestedAs: null, mcpName: null, isRegistrable: false, passes: null },
  { name: 'pi', title: 'pi', commands: ['pi'], agentCommand: 'pi', suggestedAs: 8, mcpName: null, isRegistrable: false, passes: null },
] as const satisfies readonly RosterRow[]

type Row = (typeof rows)[number]

export type AgentName = Extract<Row, { readonly agentCommand: string }>['name']
export type RegistrableClient = Extract<Row, { readonly isRegistrable: true }>['name']

/** In the order in which people see them. */
export const registrableClients: readonly RegistrableClient[] = rows
  .filter((row): row is Extract<Row, { readonly isRegistrable: true }> => row.isRegistrable)
  .map(({ name }) => name)

/** Commands that start an agent in a terminal. */
export const agentCommands: readonly string[] = rows.flatMap(({ agentCommand }) => agentCommand ?? [])

/** Commands of agents that are suggested for starting one, the best known first. */
export const suggestedCommands: readonly string[] = rows
  .flatMap(({ agentCommand, suggestedAs }) => (suggestedAs === null ? [] : [{ agentCommand, suggestedAs }]))
  .toSorted((a, b) => a.suggestedAs - b.suggestedAs)
  .map(({ agentCommand }) => agentCommand)

const mcpNames: readonly string[] = rows.flatMap(({ mcpName }) => (mcpName === null ? [] : [mcpName]))

/** The MCP client has the name of an agent, so a model reads the results. */
export function isAgentClient(name: string): boolean {
  return mcpNames.some((known) => name.startsWith(known))
}

export function rosterRow<Name extends Row['name']>(name: Name): Extract<Row, { readonly name: Name }> {
  const found = rows.find((row): row is Extract<Row, { readonly name: Name }> => row.name === name)
  if (found === undefined) throw new Error(`no ${name} in the roster`)
  return found
}
