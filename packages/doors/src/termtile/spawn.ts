/** `spawn_agent`: waits for the agents it depends on, opens a terminal in a free slot, and types the task. */

import { defined, TermError } from '@agentpty/protocol'
import { knownAdapters, markedText } from '@agentpty/protocol/agents'
import type { JsonObject } from '@agentpty/protocol/wire'
import type { AgentCall } from '../parts/agents/agent-call.ts'
import { type Agent, findAgents, untracked, workspaceOf } from '../parts/agents/agents.ts'
import { answersOf, dependsSeconds } from '../parts/agents/depend-on.ts'
import { openAgent } from '../parts/agents/open-agent.ts'
import { fillTemplates } from '../parts/agents/text.ts'
import { aside } from '../parts/aside.ts'
import type { TermtileInput } from './contract.ts'

type SpawnInput = TermtileInput<'spawn_agent'>

export async function spawnAgent(input: SpawnInput, call: AgentCall): Promise<JsonObject> {
  const type = input.agent_type ?? input.type
  if (type == null) throw new TermError('invalid_input', 'agent_type is required', '')
  const workspace = workspaceOf('spawn_agent', input, await findAgents(aside(call.client)))
  const outputs = await dependencies(input, workspace, call)
  const task = fillTemplates(input.task ?? '', (name) => {
    const output = outputs.get(name)
    // What is known as an agent is told whose words they are; other programs get them as they are.
    return output === undefined || !isKnown(type) ? output : markedText(output, `the answer of ${name}`)
  })
  const { window, cwd = null, model = null } = input
  const throughShell = window == null ? 'unless-set' : window ? 'always' : 'never'
  const opened = await openAgent({ type, place: { workspace }, throughShell, cwd, model, task }, call)
  const { notInstructed, isThroughShell } = opened.spawned
  const notTyped = notInstructed === null ? [] : [`The task was not typed: ${notInstructed}`]
  const notes = [...notTyped, ...notesOn(task)]
  return defined({
    slot: opened.slot,
    session_name: opened.name,
    agent_type: type,
    workspace,
    spawn_mode: isThroughShell ? 'window' : 'pane',
    note: notes.length > 0 ? notes.join(' ') : undefined,
  })
}

const isKnown = (type: string) => knownAdapters.some(({ name }) => name === type)

function notesOn(task: string): readonly string[] {
  const unfilled = /\{\{\s*slot_\d+\.output\s*\}\}/.test(task)
  return [
    ...(unfilled ? ['A {{slot_N.output}} stands as it is: its slot is not in depends_on, or has no artifact.'] : []),
  ]
}

/** The artifacts of the slots that the agent depends on, by the names of templates, once all of them are idle. Errors: `invalid_input`. */
async function dependencies(
  { depends_on: asked, depends_on_timeout: given }: SpawnInput,
  workspace: string,
  call: AgentCall,
): Promise<ReadonlyMap<string, string>> {
  const slots = [...new Set(asked ?? [])]
  const agents = await findAgents(aside(call.client))
  const found = slots.map((slot) => dependency(slot, workspace, agents))
  const outputs = await answersOf(found, { seconds: dependsSeconds(given) }, call)
  return new Map(slots.map((slot, at) => [`slot_${slot}`, outputs[at] ?? '']))
}

function dependency(slot: number, workspace: string, agents: readonly Agent[]): Agent {
  if (slot < 0) throw new TermError('invalid_input', `depends_on contains negative slot ${slot}`, '')
  const found = agents.find((agent) => agent.workspace === workspace && agent.slot === slot)
  if (found !== undefined) return found
  throw untracked(`dependency slot ${slot} not tracked in workspace "${workspace}"`, agents, workspace)
}
