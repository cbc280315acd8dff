import { BoundedMap, type Clock, defined, invalidInput, isTermError } from '@agentpty/protocol'
import { cleanText, hasCrashed, knownAdapters, markedText, slotName } from '@agentpty/protocol/agents'
import { inputJsonSchema, type ToolAnswer, type Toolset } from '@agentpty/protocol/mcp'
import type { JsonObject } from '@agentpty/protocol/wire'
import {
  type Agent,
  checkedName,
  findAgent,
  findAgents,
  freeSlot,
  untracked,
  workspaceOf,
} from '../parts/agents/agents.ts'
import { artifactOf, noteOn, toArtifact } from '../parts/agents/artifacts.ts'
import { answersOf, dependsSeconds } from '../parts/agents/depend-on.ts'
import { openAgent } from '../parts/agents/open-agent.ts'
import type { AgentCall, QueuedAgents } from '../parts/agents/queued-agents.ts'
import { lastReadMax, linesMax, linesOf, readLines } from '../parts/agents/read-lines.ts'
import { fillTemplates } from '../parts/agents/text.ts'
import { waitForAgents, withIdlePatterns } from '../parts/agents/waits.ts'
import { aside, closeIfOpen, errorText, failedAnswer } from '../parts/aside.ts'
import { parseLenient } from '../parts/lenient-arguments.ts'
import { type TermtileInput, type TermtileName, termtileTools } from './contract.ts'

type SpawnInput = TermtileInput<'spawn_agent'>

/** `spawn_agent`: waits for the agents it depends on, opens a terminal in a free slot, and types the task. */
async function spawnAgent(input: SpawnInput, call: AgentCall): Promise<JsonObject> {
  const type = input.agent_type ?? input.type
  if (type == null) throw invalidInput('agent_type is required', '')
  const workspace = workspaceOf('spawn_agent', input, await findAgents(aside(call.client)))
  const outputs = await dependencies(input, workspace, call)
  const task = fillTemplates(input.task ?? '', (name) => {
    const output = outputs.get(name)
    // The output of a known agent is marked with its origin; that of other programs is returned unchanged.
    return output === undefined || !isKnown(type) ? output : markedText(output, `the answer of ${name}`)
  })
  const { window, cwd = null, model = null } = input
  const throughShell = window == null ? 'unless-set' : window ? 'always' : 'never'
  const opened = await openAgent({ type, place: { workspace }, throughShell, cwd, model, task }, call)
  const { notInstructed, isThroughShell } = opened.spawned
  const notes = [
    ...(notInstructed === null ? [] : [`The task was not typed: ${notInstructed}`]),
    ...(unfilledTemplate.test(task) ? [unfilledNote] : []),
  ]
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

const unfilledTemplate = /\{\{\s*slot_\d+\.output\s*\}\}/
const unfilledNote = 'A {{slot_N.output}} stands as it is: its slot is not in depends_on, or has no artifact.'

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
  if (slot < 0) throw invalidInput(`depends_on contains negative slot ${slot}`, '')
  const found = agents.find((agent) => agent.workspace === workspace && agent.slot === slot)
  if (found !== undefined) return found
  throw untracked(`dependency slot ${slot} not tracked in workspace "${workspace}"`, agents, workspace)
}

const idleSecondsDefault = 120

export interface TermtileOptions {
  readonly clock: Clock
  /** Wall time as text. */
  readonly isoTime: (wall: number) => string
  /** Those of the toolset `agents` that wait for others have slots already. */
  readonly queue: QueuedAgents
}

type DoorCall = AgentCall & Pick<TermtileOptions, 'isoTime'>

/**
 * The door of termtile: agents in the slots of workspaces, their answers as artifacts, and agents that wait for others.
 *
 * A slot is a terminal, and idle is whose turn it is there; `agents.ts` says how they are found. What `read_from_agent`
 * returned last is kept here, bounded, until the daemon ends; the server keeps the artifacts.
 */
export function makeTermtile({ clock, isoTime, queue }: TermtileOptions): Toolset {
  const lastRead = new BoundedMap<string, readonly string[]>(lastReadMax)
  return {
    name: 'termtile',
    instructions:
      'Agents side by side: spawn_agent starts one in a slot and gives it a task, wait_for_idle waits for its answer, get_artifact has the last answer, depends_on and {{slot_N.output}} chain them.',
    tools: Object.entries(termtileTools).map(([name, { summary, effect, becomes, input }]) => ({
      name,
      description: summary,
      inputSchema: inputJsonSchema(input),
      becomes,
      annotations: { title: name, readOnlyHint: effect === 'reads', destructiveHint: effect === 'destroys' },
    })),
    async call(tool, input, call): Promise<ToolAnswer> {
      try {
        if (!isTool(tool)) throw invalidInput(`unknown tool ${tool}`, '')
        const result = await answer(tool, input, { ...call, clock, lastRead, queue, isoTime })
        return typeof result === 'string' ? { text: result } : { text: JSON.stringify(result), structured: result }
      } catch (error) {
        if (!isTermError(error)) throw error
        return failedAnswer(error, errorText(error))
      }
    },
    answerRefused: (error) => failedAnswer(error, `${error.message} ${error.hint}`),
  }
}

function isTool(name: string): name is TermtileName {
  return Object.hasOwn(termtileTools, name)
}

type Handlers = {
  readonly [Name in TermtileName]: (input: TermtileInput<Name>, call: DoorCall) => Promise<JsonObject | string>
}

async function answer<Name extends TermtileName>(name: Name, input: unknown, call: DoorCall) {
  const { input: schema, example } = termtileTools[name]
  const handler: Handlers[Name] = handlers[name]
  return handler(parseLenient(schema, input, { name, example }) as TermtileInput<Name>, call)
}

const handlers: Handlers = {
  spawn_agent: spawnAgent,
  async send_to_agent(input, { client, signal }) {
    const { terminalId, sessionName, asksForAnswer } = await findAgent(client, 'send_to_agent', input)
    const { text } = input
    // A known agent is instructed; any other program gets the text, whatever it does.
    if (asksForAnswer) await client.call('instruct', { terminalId, text }, { signal })
    else await client.call('send', { terminalId, text, waitFor: 'none' }, { signal })
    return `Sent to slot ${input.slot} (target ${sessionName})`
  },
  read_from_agent: readFromAgent,
  wait_for_idle: waitForIdle,
  async list_agents(input, call) {
    const agents = await withIdlePatterns(await findAgents(call.client), call)
    const workspace = workspaceOf('list_agents', input, agents)
    return {
      workspace,
      agents: agents
        .filter((agent) => agent.workspace === workspace)
        .map(({ slot, type, sessionName, command, isIdle: is_idle, exists, spawnMode }) => ({
          slot,
          agent_type: type,
          session_name: sessionName,
          current_command: command,
          is_idle,
          exists,
          spawn_mode: spawnMode,
        })),
    }
  },
  async kill_agent(input, { client, signal, lastRead }) {
    const { terminalId, sessionName } = await findAgent(client, 'kill_agent', input)
    lastRead.delete(terminalId)
    await closeIfOpen(client, terminalId, { signal })
    return { session_name: sessionName, killed: true }
  },
  get_artifact: getArtifact,
  async move_terminal(input, { client, signal, queue }) {
    const { terminalId, workspace, slot } = await findAgent(client, 'move_terminal', input)
    const target = checkedName(input.target_workspace)
    if (target === workspace) throw invalidInput(`slot ${slot} is in workspace "${target}" already`, '')
    const { isReserved } = queue
    const targetSlot = freeSlot(await findAgents(aside(client)), { workspace: target, isReserved })
    const name = slotName(target, targetSlot)
    const release = queue.hold(name)
    await client.call('rename', { terminalId, name }, { signal }).finally(release)
    return {
      source_workspace: workspace,
      target_workspace: target,
      source_slot: slot,
      target_slot: targetSlot,
      session_name: name,
      moved: true,
    }
  },
}

async function readFromAgent(input: TermtileInput<'read_from_agent'>, call: DoorCall): Promise<JsonObject> {
  const { terminalId, sessionName } = await findAgent(call.client, 'read_from_agent', input)
  const { rows, found } = await readLines(terminalId, input, call)
  const output = rows.join('\n')
  return defined({
    output: input.clean === true ? cleanText(output) : output,
    session_name: sessionName,
    found: found ?? undefined,
  })
}

async function waitForIdle(input: TermtileInput<'wait_for_idle'>, call: DoorCall): Promise<JsonObject> {
  const { terminalId, sessionName } = await findAgent(call.client, 'wait_for_idle', input)
  const seconds = input.timeout ?? idleSecondsDefault
  const [agent] = await waitForAgents({ terminalIds: [terminalId], atDialog: 'end', seconds }, call)
  // An agent that has crashed is not idle, nor is one that asks.
  const isIdle = agent?.outcome === 'finished' && !hasCrashed(agent)
  const lines = linesOf(input.lines ?? linesMax)
  const artifact = await artifactOf({ terminalId, capture: isIdle ? 'answer' : 'screen', lines }, call)
  return defined({
    is_idle: isIdle,
    output: artifact?.output ?? '',
    warning: noteOn(artifact),
    session_name: sessionName,
    question: agent?.needs === 'answer' ? (agent.question ?? '') : undefined,
    exit_code: agent?.state === 'exited' ? agent.exitCode : undefined,
    signal: agent?.signal,
  })
}

async function getArtifact(input: TermtileInput<'get_artifact'>, call: DoorCall): Promise<JsonObject> {
  const { terminalId, workspace, slot } = await findAgent(call.client, 'get_artifact', input)
  // An agent that has answered between fences has an artifact, even if no caller waited for it.
  const artifact = await artifactOf({ terminalId, capture: 'missing' }, call)
  if (artifact === null)
    throw invalidInput(
      `no artifact for workspace "${workspace}" slot ${slot}`,
      'One is kept when wait_for_idle or a dependent has waited for the agent.',
    )
  const { output, warning, originalBytes, storedBytes } = toArtifact(artifact)
  return defined({
    workspace,
    slot,
    output,
    truncated: warning !== null,
    warning: [warning ?? [], noteOn(artifact) ?? []].flat().join('; ') || undefined,
    original_bytes: originalBytes,
    stored_bytes: storedBytes,
    last_updated_utc: call.isoTime(artifact.capturedAt),
  })
}
