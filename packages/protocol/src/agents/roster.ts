/**
 * The one table of agents, and of the programs that host one, by name. Every list of them is read from here:
 * registration, the MCP server, the doors and the bench. No rule about terminals depends on it.
 */

import { type Adapter, adapterOfCommand } from './adapter.ts'
import { claude } from './known/claude.ts'
import { codex } from './known/codex.ts'
import { copilot } from './known/copilot.ts'
import { gemini } from './known/gemini.ts'
import type { KnownAgent } from './known/known-agent.ts'
import { opencode } from './known/opencode.ts'
import { withoutTranscripts } from './known/without-transcripts.ts'

const rows = [claude, codex, gemini, copilot, opencode, ...withoutTranscripts] as const

type Row = (typeof rows)[number]

export type AgentName = Extract<Row, { readonly agent: object }>['name']
export type RegistrableClient = Extract<Row, { readonly registration: object }>['name']

const known: readonly KnownAgent[] = rows

/** In the order in which people see them. */
export const registrableClients: readonly RegistrableClient[] = rows.flatMap(({ name, registration }) =>
  registration === null ? [] : [name as RegistrableClient],
)

/** Commands that start an agent in a terminal. */
export const agentCommands: readonly string[] = known.flatMap(({ agent }) => agent?.command[0] ?? [])

/** Commands of agents that are suggested for starting one, the best known first. */
export const suggestedCommands: readonly string[] = known
  .flatMap(({ agent }) => (agent?.suggestedAs === undefined ? [] : [agent]))
  .toSorted((a, b) => (a.suggestedAs ?? 0) - (b.suggestedAs ?? 0))
  .flatMap(({ command }) => command.slice(0, 1))

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

/** How the known agents are started and used, in the order of the roster. */
export const knownAdapters: readonly Adapter[] = known.flatMap(({ name, title, agent }) => {
  if (agent === null) return []
  const { command, suggestedAs: _, ...more } = agent
  return [{ ...adapterOfCommand(name, command), title, asksForAnswer: true, ...more }]
})
