/** The agents that can be started by name: whether their programs are here, in which version, and what is wrong. */

import { type ChildProcess, spawn } from 'node:child_process'
import { searchableText } from '@agentpty/engine/waits'
import { versionAnswerMs, versionBytesMax } from '@agentpty/protocol'
import { type Adapter, knownAdapters, permissionModesOf } from '@agentpty/protocol/agents'
import type { ExplainedAdapter } from '@agentpty/protocol/home'
import type { AgentProgram } from '@agentpty/protocol/setup'
import { endOf, endProgram } from './ask-address.ts'
import { Complaint, ok, type Seen, type Subject, trippedOver, warn } from './check.ts'
import { programPath } from './machine-checks.ts'

type FindContext = Pick<Subject, 'clock' | 'env'>

/** Finds a program for each adapter, in their order. All run in parallel, each program once. */
export function findAgents(
  adapters: readonly ExplainedAdapter[],
  context: FindContext,
): readonly Promise<AgentProgram>[] {
  const asked = new Map<string, Promise<AskedVersion>>()
  const ask = (path: string) => {
    const answer = asked.get(path) ?? askVersion(path, context)
    asked.set(path, answer)
    return answer
  }
  return adapters.map((one) => findAgent(one, context, ask))
}

async function findAgent(
  { adapter, origin }: ExplainedAdapter,
  { env }: FindContext,
  ask: (path: string) => Promise<AskedVersion>,
): Promise<AgentProgram> {
  const { name, title, description, command, models, defaultModel, permissionMode: permissions } = adapter
  const path = programPath(command[0] ?? '', { ...env, ...adapter.env })
  const { version, problem: silent } = path !== null && answersVersion(command) ? await ask(path) : notAsked
  const problem = problemOf(adapter, path, origin) ?? (silent === null ? null : silentProblem(silent, path))
  return { name, title, description, command, path, version, models, defaultModel, permissions, origin, problem }
}

const notAsked = { version: null, problem: null } as const

/** Any other program might take the question for the beginning of its work. */
function answersVersion([program = '']: readonly string[]): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  return knownAdapters.some(({ command }) => command[0] === name)
}

function silentProblem(what: string, path: string | null): AgentProgram['problem'] {
  return { what, advice: `Try it: ${path} --version` }
}

/** Returns null for a known agent that is not installed and has no entry. */
function problemOf(adapter: Adapter, path: string | null, origin: string | null): AgentProgram['problem'] {
  if (origin === null) return null
  const { command, permissionMode, models, defaultModel, throughShell } = adapter
  if (path === null && throughShell === true)
    return {
      what: `command not found: ${command[0]}`,
      advice: 'The start-up files of your shell may know it; else install it, or set its command.',
    }
  if (path === null)
    return { what: `command not found: ${command[0]}`, advice: `${origin}: install it, or set its command.` }
  const modes = permissionModesOf(adapter)
  if (!modes.includes(permissionMode))
    return {
      what: `it has no permissions "${permissionMode}"`,
      advice: `${origin}: set permissions to one of: ${modes.join(', ')}.`,
    }
  if (defaultModel !== null && models.length > 0 && !models.includes(defaultModel))
    return {
      what: `its default model ${defaultModel} is none of its models`,
      advice: `${origin}: set default_model to one of: ${models.join(', ')}.`,
    }
  return null
}

/** Reports the agents for the doctor: one line for all that are installed, and one for each that cannot be started as configured. */
export async function* examineAgents({ findAgents }: Pick<Subject, 'findAgents'>): AsyncGenerator<Seen> {
  let agents: readonly AgentProgram[]
  try {
    agents = await Promise.all(await findAgents())
  } catch (error) {
    yield trippedOver(error, 'See: agentpty agents')
    return
  }
  const here = agents.filter(({ path }) => path !== null)
  const shown = here.map(({ name, version }) => (version === null ? name : `${name} ${version}`))
  if (here.length === 0) yield { mark: 'hint', found: 'none found here', advice: 'Those it knows: agentpty agents' }
  else yield ok(shown.join(', '))
  for (const { name, problem } of agents) if (problem !== null) yield warn(`${name}: ${problem.what}`, problem.advice)
}

type AskedVersion =
  | { readonly version: string; readonly problem: null }
  | { readonly version: null; readonly problem: string }

/** Asks a program for its version: `PROGRAM --version`, without a shell and without an input, and ends it with all it has started. */
export async function askVersion(path: string, { clock, env }: Pick<Subject, 'clock' | 'env'>): Promise<AskedVersion> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  // A group of its own, so that what it starts can be ended with it.
  const child = spawn(path, ['--version'], { env: { ...env }, stdio, detached: true })
  const ended = endOf(child)
  try {
    return await answerOf(child, clock)
  } finally {
    await endProgram(child, ended, clock)
  }
}

function answerOf(child: ChildProcess, clock: Subject['clock']): Promise<AskedVersion> {
  const complaint = new Complaint()
  let said = ''
  return new Promise((resolve) => {
    const give = (answer: AskedVersion) => {
      cancelTimer()
      resolve(answer)
    }
    const none = (why: string) => give({ version: null, problem: `${why}${complaint.quoted}` })
    const cancelTimer = clock.callAt(clock.now() + versionAnswerMs, () =>
      none(`does not say its version within ${versionAnswerMs / 1_000} s`),
    )
    child.stdout?.on('data', (bytes: Buffer) => {
      said += searchableText(bytes.subarray(0, versionBytesMax))
      if (said.length >= versionBytesMax) none('says no version, but much else')
    })
    child.stderr?.on('data', (bytes: Buffer) => complaint.add(bytes))
    child.once('error', (error) => none(error.message))
    child.once('close', (code, signal) => {
      const version = versionIn(said)
      if (version === null) none(`does not say its version, and ends with ${signal ?? code}`)
      else give({ version, problem: null })
    })
  })
}

/**
 * Returns the version number alone, the first line unchanged when it has no number, and null for no output.
 *
 * @example versionIn('GitHub Copilot CLI 1.0.102.\nRun it.') // '1.0.102'
 */
export function versionIn(said: string): string | null {
  const [first] = said.split('\n').filter((line) => line.trim() !== '')
  if (first === undefined) return null
  return /\d+(?:\.\d+)+(?:[-+][\w.]*\w)*/.exec(said)?.[0] ?? first.trim().slice(0, 40)
}
