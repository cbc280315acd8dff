/** The record of an agent or another program that hosts MCP servers. Each was tried: see docs/agents.md and docs/clients.md. */

import type { Adapter } from '../adapter.ts'

export interface KnownAgent {
  readonly name: string
  readonly title: string
  /** Commands whose presence shows that it is installed. */
  readonly commands: readonly string[]
  /** How it is started and used as an agent in a terminal; null for editors and for programs without one. */
  readonly agent: AgentFacts | null
  /** How its name as an MCP client begins; null: the name does not matter, or is not known. */
  readonly mcpName: string | null
  /** The variables that it passes on to the MCP servers it starts, besides those in their entries; null: all. */
  readonly passes: readonly string[] | null
  /** Where it keeps its MCP servers; null: agentpty cannot write itself into its configuration. */
  readonly registration: Registration | null
}

/** Fields of its adapter that are not set are as for any command. */
type AgentFacts = Partial<Omit<Adapter, 'name' | 'title'>> & {
  readonly command: readonly string[]
  /** Its position among the agents that are suggested for starting one; without it, it is not suggested. */
  readonly suggestedAs?: number
}

export interface Registration {
  /** The folder of the user that `file` is in. `desktop`: where desktop programs keep their files. */
  readonly folder: 'home' | 'config' | 'desktop'
  /** Its name. The first of several that exists counts; where none exists, `newFile` is written. */
  readonly file: string | readonly string[]
  readonly newFile?: string
  readonly format: 'json' | 'toml' | 'yaml'
  /** The key of its file below which the servers are. */
  readonly group: string
  /** Where servers of a single folder (`{cwd}`) are, which take precedence over those of the same name; we write none there. */
  readonly folderGroup?: readonly string[]
  /**
   * The entry of a server that the client starts. `{program}`, `{args}`, `{words}` (both), `{env}` and `{name}` are replaced; a field with
   * `{env}` is left out where there are no variables.
   */
  readonly byCommand: EntryTemplate
  /** The entry of a server at an address: `{url}`, `{headers}` and `{name}` are replaced. Null: the client takes no address with headers. */
  readonly byAddress: EntryTemplate | null
}

export type EntryTemplate = Readonly<Record<string, string | number | boolean | readonly string[]>>

export const escapeKey = ['escape']
export const twiceCtrlC = ['ctrl+c', 'ctrl+c']

export const programEntry = { command: '{program}', args: '{args}', env: '{env}' } as const
export const addressEntry = { url: '{url}', headers: '{headers}' } as const
