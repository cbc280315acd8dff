/** The agents that can be started by name, as a table for people. */

import type { AgentProgram } from '@agentpty/protocol/setup'
import { cell, table } from './format-tables.ts'

const columns = ['NAME', 'VERSION', 'PERMISSIONS', 'MODELS', 'PROGRAM', 'SET IN', 'WHAT'] as const
const modelsWidthMax = 32
const whatWidthMax = 60

/** Those that are here or have an entry first, then the names of the others. */
export function formatAgents(agents: readonly AgentProgram[]): string {
  const isListed = ({ path, origin }: AgentProgram) => path !== null || origin !== null
  const listed = agents.filter(isListed)
  const others = agents.filter((one) => !isListed(one)).map(({ name }) => name)
  const problems = listed.flatMap(({ name, problem }) =>
    problem === null ? [] : [`\n${name}: ${problem.what}\n  → ${problem.advice}\n`],
  )
  return [
    listed.length === 0 ? 'No agent that is known is installed here.\n' : table([columns, ...listed.map(cellsOf)]),
    ...problems,
    ...(others.length === 0 ? [] : [`\nKnown and not installed here: ${others.join(', ')}\n`]),
    '\nStart one: agentpty agent spawn NAME "what it shall do"   Any other command is an agent, too.\n',
  ].join('')
}

function cellsOf(agent: AgentProgram): readonly string[] {
  const { name, version, permissions, path, origin, description, title } = agent
  const what = cell(description ?? title, whatWidthMax)
  return [name, version ?? '-', permissions, modelsOf(agent), path ?? 'not found', origin ?? '-', what]
}

/** The default stands first, in front of others that may be chosen. */
function modelsOf({ models, defaultModel }: AgentProgram): string {
  const others = models.filter((model) => model !== defaultModel)
  const listed = defaultModel === null ? others : [`${defaultModel}*`, ...others]
  return listed.length === 0 ? 'any' : cell(listed.join(', '), modelsWidthMax)
}
