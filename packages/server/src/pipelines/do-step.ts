/** One step of a run: an agent in a terminal of its own, its instruction, and its answer. */

import { type Clock, defined, isTermError, type ServerClient, waitMsMax } from '@agentpty/protocol'
import { type Step, stepSecondsDefault } from '@agentpty/protocol/pipelines'
import type { AwaitedAgent } from '@agentpty/protocol/verbs'

const approvalWaitMs = 30_000

export interface StepWork {
  readonly step: Step
  /** The name of its terminal, by which the next server finds it again. */
  readonly name: string
  readonly instruction: string
  readonly cwd: string
  readonly signal: AbortSignal
  /** Called with the terminal of the step. */
  readonly began: (terminalId: string) => void
}

export type StepEnd =
  | {
      readonly state: 'done'
      readonly output: string
      readonly exitCode: number | null
      /** The reason to read the output; null when the output is the answer. */
      readonly why: string | null
    }
  | { readonly state: 'failed'; readonly why: string; readonly exitCode: number | null }

const inTheWay: ReadonlySet<string> = new Set(['needs_answer', 'agent_busy', 'line_not_empty'])
const againMs = 2_000

interface Begun {
  readonly terminalId: string
  readonly isInstructed: boolean
}

/** Errors: those that are no matter of the step: `cancelled`, a host that is gone. */
export async function doStep(work: StepWork, call: ServerClient['call'], clock: Clock): Promise<StepEnd> {
  const seconds = work.step.timeout ?? stepSecondsDefault
  const latest = clock.now() + seconds * 1_000
  const late = failed(`It has not finished within ${seconds} s.`)
  try {
    const begun = (await adopt(work, call)) ?? (await begin(work, call))
    if ('state' in begun) return begun
    const { terminalId } = begun
    work.began(terminalId)
    for (let { isInstructed } = begun; ; ) {
      const waitTimeoutMs = Math.min(waitMsMax, Math.max(0, Math.ceil(latest - clock.now())))
      const wait = { terminalIds: [terminalId], waitTimeoutMs }
      const [seen] = (await call('awaitAgents', wait, { signal: work.signal })).agents
      if (seen?.outcome === 'gone') return failed(`Its terminal was ${seen.why ?? 'closed'}.`)
      if (seen?.outcome === 'finished' && (isInstructed || seen.state === 'exited'))
        return answerOf(terminalId, seen, call)
      if (clock.now() >= latest) return late
      if (seen?.outcome === 'finished') isInstructed = await instruct(terminalId, work, call)
    }
  } catch (error) {
    if (!isTermError(error) || unrelated.has(error.code)) throw error
    return failed(`${error.message} ${error.hint}`.trim())
  }
}

const unrelated: ReadonlySet<string> = new Set(['cancelled', 'host_gone', 'daemon_gone', 'internal'])
const failed = (why: string, exitCode: number | null = null): StepEnd => ({ state: 'failed', why, exitCode })

/** The terminal of an earlier server’s; null where the step was not begun. */
async function adopt({ name }: StepWork, call: ServerClient['call']): Promise<Begun | null> {
  const { terminals } = await call('list', {})
  const found = terminals.find((one) => one.name === name)
  if (found === undefined) return null
  const { terminalId } = found
  const { agents } = await call('agents', {})
  return { terminalId, isInstructed: agents.some((one) => one.terminalId === terminalId && one.taskId !== undefined) }
}

async function begin({ step, name, instruction, cwd, signal }: StepWork, call: ServerClient['call']) {
  const { agent, model } = step
  const start = defined({ agent, model, cwd: step.cwd, name, instruction })
  const spawn = () => call('spawn', start, { cwd, signal })
  const { terminal, notInstructed, suggestions } = await onceAllowed(spawn, call, signal)
  const others = suggestions.length > 0 ? `; there are: ${suggestions.join(', ')}` : ''
  if (terminal === null) return failed(`There is no agent ${agent}${others}.`)
  return { terminalId: terminal.terminalId, isInstructed: notInstructed === null }
}

/** Returns false while a dialog that a person must answer, or another's typing, is in its way. */
async function instruct(terminalId: string, { instruction, signal }: StepWork, call: ServerClient['call']) {
  try {
    await call('instruct', { terminalId, text: instruction })
    return true
  } catch (error) {
    if (!isTermError(error) || !inTheWay.has(error.code)) throw error
    await call('wait', { terminalIds: [terminalId], waitFor: 'output', waitTimeoutMs: againMs }, { signal })
    return false
  }
}

/** Repeats the same call once a person has allowed it. Errors: `not_approved`, and those of the call. */
async function onceAllowed<Result>(step: () => Promise<Result>, call: ServerClient['call'], signal: AbortSignal) {
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!isTermError(error) || error.code !== 'needs_approval') throw error
      await call('approvals', { waitTimeoutMs: approvalWaitMs }, { signal })
      if (signal.aborted) throw error
    }
  }
}

async function answerOf(terminalId: string, seen: AwaitedAgent, call: ServerClient['call']): Promise<StepEnd> {
  const exitCode = seen.exitCode ?? null
  if (seen.signal !== undefined) return failed(`It was ended by ${seen.signal}.`)
  const { artifact } = await call('artifact', { terminalId, capture: 'answer' })
  if (exitCode !== null && exitCode !== 0) return failed(`Its program has ended with ${exitCode}.`, exitCode)
  const source = artifact?.source ?? 'screen'
  const taken = source === 'message' ? 'its last message' : source === 'screen' ? 'the end of its screen' : null
  const isAnswer = exitCode !== null || taken === null
  const why = isAnswer ? null : `It has put no answer between fences: its output is ${taken}.`
  return { state: 'done', output: artifact?.output ?? '', exitCode, why }
}
