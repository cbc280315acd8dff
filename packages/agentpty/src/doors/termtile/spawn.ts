/** `spawn_agent`: what it depends on comes first, then a terminal in a free slot, then its task. */

import { suggestedCommands } from '../../contracts/agents/roster.ts'
import { defined } from '../../contracts/defined.ts'
import { isTermError, TermError } from '../../contracts/errors.ts'
import type { VerbOutput } from '../../contracts/verbs/index.ts'
import type { JsonObject } from '../../contracts/wire/json-lines.ts'
import { type Agent, commandLineOf, findAgents, freeSlot, sessionNameOf, untracked, workspaceOf } from './agents.ts'
import type { TermtileCall } from './call.ts'
import type { TermtileInput } from './contract.ts'
import { answerOf } from './notes.ts'
import { durationText, fillTemplates } from './text.ts'
import { waitIdle } from './waits.ts'

type SpawnInput = TermtileInput<'spawn_agent'>

const dependsSecondsDefault = 300
/** Of what has no fences. */
const artifactLines = 200
/** A program that is not there says so within this time; what works longer is left to it. */
const startMsMax = 2_000
/** An agent is given its task when it can take it, or after this time. */
const taskMsMax = 30_000
/** Two calls may find the same slot free; the later one takes the next. */
const attemptsMax = 20
/** The shell’s, for a command that there is not. */
const notFoundCode = 127

export async function spawnAgent(input: SpawnInput, call: TermtileCall): Promise<JsonObject> {
  const type = input.agent_type ?? input.type
  if (type == null) throw new TermError('invalid_input', 'agent_type is required', '')
  const workspace = workspaceOf('spawn_agent', input, await findAgents(call.client))
  const outputs = await dependencies(input, workspace, call)
  const spawnMode = input.window === false ? 'pane' : 'window'
  const { slot, opened } = await open({ type, workspace, spawnMode, cwd: input.cwd ?? null }, call)
  const task = fillTemplates(input.task ?? '', outputs)
  const untold = task === '' ? null : await giveTask(opened.terminalId, task, call)
  const notes = [...(untold === null ? [] : [untold]), ...notesOn(input, task)]
  return defined({
    slot,
    session_name: sessionNameOf(workspace, slot),
    agent_type: type,
    workspace,
    spawn_mode: spawnMode,
    note: notes.length > 0 ? notes.join(' ') : undefined,
  })
}

function notesOn({ model }: SpawnInput, task: string): readonly string[] {
  const unfilled = /\{\{\s*slot_\d+\.output\s*\}\}/.test(task)
  return [
    ...(model == null ? [] : [`The model "${model}" is not chosen yet: name it in agent_type, as "claude --model …".`]),
    ...(unfilled ? ['A {{slot_N.output}} stands as it is: its slot is not in depends_on, or has no artifact.'] : []),
  ]
}

interface Opening {
  readonly type: string
  readonly workspace: string
  readonly spawnMode: Agent['spawnMode']
  readonly cwd: string | null
}

/** Errors: `invalid_input` for an agent that there is not; those of opening a terminal. */
async function open({ type, workspace, spawnMode, cwd }: Opening, { client, signal }: TermtileCall) {
  for (let [attempt, from] = [1, 0]; ; attempt++) {
    const slot = freeSlot(await findAgents(client), workspace, from)
    try {
      const opened = await client.call(
        'create',
        defined({
          name: sessionNameOf(workspace, slot),
          command: commandLineOf(type, spawnMode),
          cwd: cwd ?? undefined,
          waitFor: 'ready',
          waitTimeoutMs: startMsMax,
        }),
        { signal },
      )
      if (opened.outcome === 'exited' && opened.exitCode === notFoundCode) await refuse(type, opened, client)
      return { slot, opened }
    } catch (error) {
      if (!isTermError(error) || error.code !== 'name_taken' || attempt === attemptsMax) throw error
      // Its terminal is only just being opened, by another call.
      from = slot + 1
    }
  }
}

async function refuse(
  type: string,
  { terminalId }: VerbOutput<'create'>,
  client: TermtileCall['client'],
): Promise<never> {
  await client.call('close', { terminalId })
  const lookup = `sh -c 'for one in ${suggestedCommands.join(' ')}; do command -v "$one" >/dev/null && echo "$one"; done; true'`
  const { output, terminalId: looked } = await client.call('run', { command: lookup })
  // Where it looked is gone soon in any case.
  await client.call('close', { terminalId: looked }).catch(() => undefined)
  const available = output.split('\n').filter((line) => suggestedCommands.includes(line.trim()))
  throw new TermError(
    'invalid_input',
    `unknown agent type "${type}"; available: [${available.join(' ')}]`,
    'Any command on the PATH is an agent type as well.',
  )
}

/** Null when it was typed; else why not. */
async function giveTask(terminalId: string, text: string, { client, signal }: TermtileCall): Promise<string | null> {
  const typing = { terminalId, text, waitFor: 'none' as const, waitTimeoutMs: taskMsMax }
  try {
    await client.call('send', { ...typing, instruct: true }, { signal })
    return null
  } catch (error) {
    if (!isTermError(error)) throw error
    if (error.code === 'needs_answer' || error.code === 'session_exited')
      return `The task was not typed: ${error.message}`
    if (error.code !== 'agent_busy') throw error
    await client.call('send', typing, { signal })
    return null
  }
}

/** The artifacts of the slots it depends on, once all of them are idle. Errors: `invalid_input`. */
async function dependencies(
  { depends_on: asked, depends_on_timeout: given }: SpawnInput,
  workspace: string,
  call: TermtileCall,
): Promise<ReadonlyMap<number, string>> {
  const slots = [...new Set(asked ?? [])]
  const agents = await findAgents(call.client)
  const dependencies = slots.map((slot) => dependency(slot, workspace, agents))
  const seconds = given != null && given > 0 ? given : dependsSecondsDefault
  const over = new AbortController()
  const together = { ...call, signal: AbortSignal.any([call.signal, over.signal]) }
  try {
    const idle = await Promise.all(dependencies.map((agent) => becomesIdle(agent, seconds, together)))
    if (!idle.every(Boolean)) throw lateness(slots, seconds)
  } finally {
    // One has failed: nobody waits for the others any more.
    over.abort()
  }
  const outputs = await Promise.all(dependencies.map((agent) => artifactOf(agent, call)))
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

/** False when the time is over. Errors: `invalid_input` when it was killed. */
async function becomesIdle(agent: Agent, seconds: number, call: TermtileCall): Promise<boolean> {
  const { terminalId } = agent
  try {
    const turn = await waitIdle({ terminalId, seconds, endsAtDialog: false }, call, call.clock)
    if (turn === null || turn.signal !== undefined) throw killed(agent)
    return turn.outcome !== 'timeout'
  } catch (error) {
    throw isTermError(error) && error.code === 'session_not_found' ? killed(agent) : error
  }
}

function killed({ slot, sessionName }: Agent): TermError {
  return new TermError('invalid_input', `dependency slot ${slot} (target ${sessionName}) is not alive (killed)`, '')
}

async function artifactOf({ terminalId }: Agent, { client, notes }: TermtileCall): Promise<string> {
  notes.keepArtifact(terminalId, await answerOf(client, terminalId, artifactLines))
  return notes.of(terminalId).artifact?.output ?? ''
}
