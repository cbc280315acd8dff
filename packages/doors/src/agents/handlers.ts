/** The tools of the toolset `agents` besides those that start agents and wait for them. */

import { defined, invalidInput } from '@agentpty/protocol'
import { cleanText, type LineageNode, type Usage } from '@agentpty/protocol/agents'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import type { AnyAgent } from '../parts/agents/agents.ts'
import { artifactOf, noteOn, toArtifact } from '../parts/agents/artifacts.ts'
import { type QueuedAgent, waitsFor } from '../parts/agents/queued-agents.ts'
import { readLines } from '../parts/agents/read-lines.ts'
import { closeIfOpen } from '../parts/aside.ts'
import type { AgentsInput } from './contract.ts'
import { type CallOfAgents, optionsIn, stateOf } from './dialog.ts'
import { findOne, findRunning, listEveryone } from './find.ts'

export async function sendToAgent(input: AgentsInput<'send_to_agent'>, call: CallOfAgents): Promise<JsonObject> {
  const { terminalId: id, known } = await findRunning('send_to_agent', input, call)
  const { client, signal } = call
  const { text } = input
  if (known === undefined) {
    await client.call('send', { terminalId: id, text, waitFor: 'none' }, { signal })
    return { id, sent: true }
  }
  const { taskId } = await client.call('instruct', { terminalId: id, text }, { signal })
  return { id, sent: true, task_id: taskId }
}

export async function answerAgent(input: AgentsInput<'answer_agent'>, call: CallOfAgents): Promise<JsonObject> {
  const { terminalId } = await findRunning('answer_agent', input, call)
  const request = defined({ terminalId, option: input.option })
  const replied = await call.client.call('reply', request, { signal: call.signal })
  const { asked, options, chosen } = replied
  if (chosen === null) return { id: terminalId, question: asked, options: optionsIn(options) }
  const state = stateOf(replied)
  return defined({ id: terminalId, chosen, state, question: state === 'asks' ? (replied.question ?? '') : undefined })
}

export async function getArtifact(input: AgentsInput<'get_artifact'>, call: CallOfAgents): Promise<JsonObject> {
  const { terminalId: id } = await findRunning('get_artifact', input, call)
  const artifact = await artifactOf({ terminalId: id, capture: 'missing' }, call)
  if (artifact === null) throw invalidInput(`no artifact for ${id}`, 'Wait for its answer with wait_for_idle.')
  const { output, warning, originalBytes } = toArtifact(artifact)
  return defined({
    id,
    output,
    task_id: artifact.taskId ?? undefined,
    truncated: warning === null ? undefined : true,
    original_bytes: warning === null ? undefined : originalBytes,
    last_updated_utc: call.isoTime(artifact.capturedAt),
    source: artifact.source === 'message' ? 'last_message' : undefined,
    note: noteOn(artifact),
  })
}

export async function readFromAgent(input: AgentsInput<'read_from_agent'>, call: CallOfAgents): Promise<JsonObject> {
  const { terminalId: id } = await findRunning('read_from_agent', input, call)
  const { rows, found } = await readLines(id, input, call)
  const output = rows.join('\n')
  return defined({ id, output: input.clean === true ? cleanText(output) : output, found: found ?? undefined })
}

export async function listAgents({ workspace }: AgentsInput<'list_agents'>, call: CallOfAgents): Promise<JsonObject> {
  const { agents, queued } = await listEveryone(call)
  const isIn = (one: { readonly workspace: string | null }) => workspace === undefined || one.workspace === workspace
  return { agents: [...agents.filter(isIn).map(shownOf), ...queued.filter(isIn).map(shownQueued)] }
}

function shownQueued(queued: QueuedAgent): JsonObject {
  const { name, slot, workspace, type, failure } = queued
  return defined({
    id: name,
    slot: slot ?? undefined,
    workspace: workspace ?? undefined,
    agent_type: type,
    state: failure === null ? 'queued' : 'failed',
    waits_for: failure === null ? waitsFor(queued) : undefined,
    error: failure?.message,
  })
}

function shownOf({ terminalId, sessionName, slot, workspace, type, terminal, known }: AnyAgent): JsonObject {
  const state = stateOf(terminal)
  return defined({
    id: terminalId,
    name: sessionName === terminalId ? undefined : sessionName,
    slot: slot ?? undefined,
    workspace: workspace ?? undefined,
    agent_type: type,
    state,
    question: state === 'asks' ? (terminal.question ?? '') : undefined,
    exit_code: state === 'ended' ? terminal.exitCode : undefined,
    answered: known?.isAnswered,
    cwd: terminal.cwd,
  })
}

export async function showTree({ id }: AgentsInput<'agent_tree'>, call: CallOfAgents): Promise<JsonObject> {
  const { nodes, rollUps } = await call.client.call('lineage', defined({ nodeId: id }), { signal: call.signal })
  const known = new Set(nodes.map(({ nodeId }) => nodeId))
  const roots = nodes.filter(({ parentId }) => parentId === null || !known.has(parentId))
  return { tree: roots.map((root) => toBranch(root, nodes, rollUps)) }
}

function toBranch(
  node: LineageNode,
  nodes: readonly LineageNode[],
  sums: VerbOutput<'lineage'>['rollUps'],
): JsonObject {
  const { nodeId, terminalId, label, status, summary } = node
  const children = nodes.filter(({ parentId }) => parentId === nodeId).map((child) => toBranch(child, nodes, sums))
  return defined({
    id: terminalId ?? nodeId,
    label: label === terminalId ? undefined : label,
    status,
    summary: summary ?? undefined,
    tokens: tokensIn(sums[nodeId]?.usage),
    tokens_below: tokensIn(sums[nodeId]?.usageBelow),
    children: children.length > 0 ? children : undefined,
  })
}

function tokensIn(usage: Usage | null | undefined): JsonObject | undefined {
  if (usage === null || usage === undefined) return undefined
  return defined({ in: usage.input, out: usage.output, cost_usd: usage.costUsd ?? undefined })
}

export async function forkAgent(input: AgentsInput<'fork_agent'>, call: CallOfAgents): Promise<JsonObject> {
  const { terminalId } = await findRunning('fork_agent', input, call)
  const { worktree, name, task: instruction } = input
  const request = defined({ terminalId, worktree, name, instruction })
  return shownForked(await call.client.call('fork', request, { signal: call.signal }))
}

export async function resumeAgent(input: AgentsInput<'resume_agent'>, call: CallOfAgents): Promise<JsonObject> {
  const { id: agentId, name, task: instruction } = input
  const request = defined({ agentId, name, instruction })
  return shownForked(await call.client.call('resume', request, { signal: call.signal }))
}

function shownForked(forked: VerbOutput<'fork'>): JsonObject {
  const { terminal, notInstructed, conversation } = forked
  return defined({
    id: terminal?.terminalId,
    state: terminal === null ? 'failed' : stateOf(terminal),
    conversation: conversation ?? undefined,
    worktree: forked.worktree ?? undefined,
    note: notInstructed === null ? undefined : `The task was not typed: ${notInstructed}`,
  })
}

export async function killAgent(input: AgentsInput<'kill_agent'>, call: CallOfAgents): Promise<JsonObject> {
  const found = await findOne('kill_agent', input, call)
  if (found.kind === 'queued') {
    call.queue.remove(found.queued)
    return { id: found.queued.name, killed: true }
  }
  const { terminalId: id, sessionName } = found.agent
  const failed = call.queue.find(sessionName)
  if (failed !== undefined) call.queue.remove(failed)
  call.lastRead.delete(id)
  await closeIfOpen(call.client, id, { signal: call.signal })
  return { id, killed: true }
}
