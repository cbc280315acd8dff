/** `spawn_agent`: waits for the agents it depends on, opens a terminal in a free slot, and types the task. */

import { defined } from '../../contracts/defined.ts'
import { isTermError, TermError } from '../../contracts/errors.ts'
import type { VerbInput } from '../../contracts/verbs/index.ts'
import type { JsonObject } from '../../contracts/wire/json-lines.ts'

import { aside } from '../parts/aside.ts'
import { type Agent, findAgents, freeSlot, sessionNameOf, untracked, workspaceOf } from './agents.ts'

import { artifactOf, toArtifact } from './artifacts.ts'
import type { TermtileCall } from './call.ts'
import type { TermtileInput } from './contract.ts'
import { durationText, fillTemplates } from './text.ts'
import { waitForAgents } from './waits.ts'

type SpawnInput = TermtileInput<'spawn_agent'>

const dependsSecondsDefault = 300
/** How many lines of the screen are the artifact of an agent without fences. */
const artifactLines = 200
/** A command that does not exist fails within this time; a program that needs longer is not waited for. */
const startMsMax = 2_000
/** Two calls may find the same slot free; the later one takes the next. */
const attemptsMax = 20

export async function spawnAgent(input: SpawnInput, call: TermtileCall): Promise<JsonObject> {
  const type = input.agent_type ?? input.type
  if (type == null) throw new TermError('invalid_input', 'agent_type is required', '')
  const workspace = workspaceOf('spawn_agent', input, await findAgents(aside(call.client)))
  const outputs = await dependencies(input, workspace, call)
  const task = fillTemplates(input.task ?? '', outputs)
  const { window, cwd = null, model = null } = input
  const throughShell = window == null ? 'unless-set' : window ? 'always' : 'never'
  const { slot, notInstructed, isThroughShell } = await open({ type, workspace, throughShell, cwd, model, task }, call)
  const notTyped = notInstructed === null ? [] : [`The task was not typed: ${notInstructed}`]
  const notes = [...notTyped, ...notesOn(task)]
  return defined({
    slot,
    session_name: sessionNameOf(workspace, slot),
    agent_type: type,
    workspace,
    spawn_mode: isThroughShell ? 'window' : 'pane',
    note: notes.length > 0 ? notes.join(' ') : undefined,
  })
}

function notesOn(task: string): readonly string[] {
  const unfilled = /\{\{\s*slot_\d+\.output\s*\}\}/.test(task)
  return [
    ...(unfilled ? ['A {{slot_N.output}} stands as it is: its slot is not in depends_on, or has no artifact.'] : []),
  ]
}

interface Opening {
  readonly type: string
  readonly workspace: string
  readonly throughShell: NonNullable<VerbInput<'spawn'>['throughShell']>
  readonly cwd: string | null
  readonly model: string | null
  readonly task: string
}

/** Errors: `invalid_input` for an unknown agent; those of opening a terminal. */
async function open({ type, workspace, throughShell, cwd, model, task }: Opening, { client, signal }: TermtileCall) {
  for (let [attempt, from] = [1, 0]; ; attempt++) {
    const slot = freeSlot(await findAgents(aside(client)), workspace, from)
    const request = {
      name: sessionNameOf(workspace, slot),
      agent: type,
      throughShell,
      model: model ?? undefined,
      cwd: cwd ?? undefined,
      instruction: task,
      atDialog: 'wait' as const,
      waitTimeoutMs: startMsMax,
    }
    try {
      const started = await client.call('spawn', defined(request), { signal })
      const { terminal, suggestions, notInstructed, isThroughShell } = started
      if (terminal === null) throw unknownType(type, suggestions)
      return { slot, notInstructed, isThroughShell }
    } catch (error) {
      if (!isTermError(error) || error.code !== 'name_taken' || attempt === attemptsMax) throw error
      // Another call is just opening its terminal.
      from = slot + 1
    }
  }
}

function unknownType(type: string, available: readonly string[]): TermError {
  return new TermError(
    'invalid_input',
    `unknown agent type "${type}"; available: [${available.join(' ')}]`,
    'Any command on the PATH is an agent type as well.',
  )
}

/** The artifacts of the slots that the agent depends on, once all of them are idle. Errors: `invalid_input`. */
async function dependencies(
  { depends_on: asked, depends_on_timeout: given }: SpawnInput,
  workspace: string,
  call: TermtileCall,
): Promise<ReadonlyMap<number, string>> {
  const slots = [...new Set(asked ?? [])]
  const agents = await findAgents(aside(call.client))
  const dependencies = slots.map((slot) => dependency(slot, workspace, agents))
  const seconds = given != null && given > 0 ? given : dependsSecondsDefault
  if (dependencies.length === 0) return new Map()
  const terminalIds = dependencies.map(({ terminalId }) => terminalId)
  const waited = await waitForAgents({ terminalIds, atDialog: 'wait', seconds }, call)
  const lost = dependencies.find((_agent, at) => waited[at]?.outcome === 'gone' || waited[at]?.signal !== undefined)
  if (lost !== undefined) throw killed(lost)
  if (waited.some(({ outcome }) => outcome === 'timeout')) throw lateness(slots, seconds)
  const outputs = await Promise.all(dependencies.map(({ terminalId }) => answerOf(terminalId, call)))
  return new Map(dependencies.map(({ slot }, at) => [slot, outputs[at] ?? '']))
}

function lateness(slots: readonly number[], seconds: number): TermError {
  const message = `timeout waiting for dependency slots [${slots.join(' ')}] to become idle after ${durationText(seconds)}`
  return new TermError('invalid_input', message, 'Look at them with read_from_agent, or wait with wait_for_idle first.')
}

function dependency(slot: number, workspace: string, agents: readonly Agent[]): Agent {
  if (slot < 0) throw new TermError('invalid_input', `depends_on contains negative slot ${slot}`, '')
  const found = agents.find((agent) => agent.workspace === workspace && agent.slot === slot)
  if (found !== undefined) return found
  throw untracked(`dependency slot ${slot} not tracked in workspace "${workspace}"`, agents, workspace)
}

function killed({ slot, sessionName }: Agent): TermError {
  return new TermError('invalid_input', `dependency slot ${slot} (target ${sessionName}) is not alive (killed)`, '')
}

async function answerOf(terminalId: string, call: TermtileCall): Promise<string> {
  const artifact = await artifactOf({ terminalId, capture: 'answer', lines: artifactLines }, call)
  return artifact === null ? '' : toArtifact(artifact).output
}
