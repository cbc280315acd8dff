/** The runs of pipelines. Each change is stored first, so the next server can continue and no step starts twice. */

import {
  type Clock,
  changeBefore,
  ignoring,
  invalidInput,
  isTermError,
  limitReached,
  type Millis,
} from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import {
  type PipelineRun,
  type Pipelines,
  type RunCaller,
  type RunRequest,
  type RunStore,
  runsKeptMax,
  runsMax,
  type StepRun,
} from '@agentpty/protocol/pipelines'
import { doStep } from './do-step.ts'
import { firstSteps, nextOf, runsOf, stepOf } from './plan.ts'
import { fill, inputsOf, readPipeline } from './read-pipeline.ts'

export interface RunsOptions {
  readonly clock: Clock
  readonly store: RunStore
  /** Called with errors that belong to no step: a defect, or a full disk. */
  readonly failed: (error: unknown) => void
}

interface Going {
  readonly call: RunCaller['call']
  readonly cancel: AbortController
}

export class Runs implements Pipelines {
  readonly #options: RunsOptions
  readonly #runs = new Map<string, PipelineRun>()
  /** Those whose steps are at work here. */
  readonly #going = new Map<string, Going>()
  readonly #listeners = new Set<() => void>()
  #version = 0

  constructor(options: RunsOptions) {
    this.#options = options
    for (const run of options.store.load()) this.#runs.set(run.runId, run)
  }

  /** Continues the runs of an earlier server. `callerOf`: the caller of a run; null when no caller may continue it. */
  goOn(callerOf: (run: PipelineRun) => RunCaller | null): void {
    for (const run of this.#runs.values()) {
      if (run.state !== 'running') continue
      const caller = callerOf(run)
      if (caller === null) this.#keep({ ...run, state: 'failed', endedAt: this.#options.clock.wall() })
      else this.#go(run.runId, caller)
    }
  }

  start({ text, inputs, cwd }: RunRequest, caller: RunCaller): PipelineRun {
    const pipeline = readPipeline(text)
    const going = [...this.#runs.values()].filter(({ state }) => state === 'running')
    if (going.length >= runsMax) throw limitReached(`${runsMax} pipelines run already.`, 'Cancel one, or wait.')
    const { clock } = this.#options
    const { client, scope } = caller.context
    const run: PipelineRun = {
      runId: this.#nextId(),
      pipeline,
      inputs: inputsOf(pipeline, inputs),
      cwd,
      client,
      scope: scope?.id ?? null,
      state: 'running',
      startedAt: clock.wall(),
      endedAt: null,
      steps: firstSteps(pipeline),
    }
    this.#keep(run)
    this.#forgetOldest()
    this.#go(run.runId, caller)
    return this.find(run.runId, undefined)
  }

  list(scope: string | undefined): readonly PipelineRun[] {
    return [...this.#runs.values()].filter((run) => scope === undefined || run.scope === scope)
  }

  find(runId: string, scope: string | undefined): PipelineRun {
    const found = this.#runs.get(runId)
    if (found !== undefined && (scope === undefined || found.scope === scope)) return found
    throw invalidInput(`There is no run "${runId}".`, 'List them with: agentpty pipeline ls')
  }

  outputOf(runId: string, key: string): string | null {
    return this.#options.store.loadOutput(runId, key)
  }

  async cancel(runId: string, { call }: RunCaller): Promise<PipelineRun> {
    const run = this.find(runId, undefined)
    if (run.state !== 'running') return run
    const atWork = Object.values(run.steps).flatMap(({ state, terminalId }) =>
      state === 'working' && terminalId !== null ? [terminalId] : [],
    )
    const steps = Object.fromEntries(Object.entries(run.steps).map(([key, one]) => [key, this.#cancelled(one)]))
    this.#keep({ ...run, steps, state: 'cancelled', endedAt: this.#options.clock.wall() })
    this.#going.get(runId)?.cancel.abort()
    this.#going.delete(runId)
    for (const terminalId of atWork) await close(terminalId, call)
    return this.find(runId, undefined)
  }

  resume(runId: string, caller: RunCaller): PipelineRun {
    const run = this.find(runId, undefined)
    if (run.state === 'running' || run.state === 'done') return run
    const steps = Object.fromEntries(Object.entries(run.steps).map(([key, one]) => [key, again(one)]))
    this.#keep({ ...run, steps, state: 'running', endedAt: null })
    this.#go(runId, caller)
    return this.find(runId, undefined)
  }

  get version(): number {
    return this.#version
  }

  async changed(since: number, latest: Millis, signal?: AbortSignal): Promise<void> {
    if (since !== this.#version) return
    await changeBefore(this.#listeners, { clock: this.#options.clock, latest, signal })
  }

  #go(runId: string, { call }: RunCaller): void {
    const cancel = new AbortController()
    const asCaller: RunCaller['call'] = (name, input, more) =>
      call(name, input, { ...withoutCall, signal: cancel.signal, ...more })
    this.#going.set(runId, { call: asCaller, cancel })
    // A step that was at work when its server ended is found again by its terminal.
    const run = this.find(runId, undefined)
    for (const [key, { state }] of Object.entries(run.steps))
      if (state === 'starting' || state === 'working') this.#do(runId, key)
    this.#advance(runId)
  }

  /** Does what follows from how things stand, until nothing more does. */
  #advance(runId: string): void {
    for (;;) {
      const run = this.find(runId, undefined)
      const { grown, settled, begin, over } = nextOf(run, (key) => this.outputOf(runId, key) ?? '')
      if (grown !== null) {
        const steps = Object.entries(run.steps).flatMap(([key, one]) =>
          key === grown.key ? Object.entries(grown.steps) : [[key, one] as const],
        )
        this.#keep({ ...run, steps: Object.fromEntries(steps) })
      } else if (settled !== null)
        this.#set(runId, settled.key, { state: settled.state, why: settled.why, endedAt: this.#options.clock.wall() })
      else {
        for (const key of begin) this.#begin(runId, key)
        if (over !== null && run.state === 'running') this.#end(run, over)
        return
      }
    }
  }

  #begin(runId: string, key: string): void {
    const { attempt } = this.find(runId, undefined).steps[key] ?? { attempt: 0 }
    this.#set(runId, key, {
      state: 'starting',
      attempt: attempt + 1,
      startedAt: this.#options.clock.wall(),
      why: null,
      terminalId: null,
    })
    this.#do(runId, key)
  }

  #do(runId: string, key: string): void {
    const going = this.#going.get(runId)
    if (going === undefined) return
    this.#work(runId, key, going).catch((error: unknown) => {
      if (isTermError(error) && error.code === 'cancelled') return
      this.#options.failed(error)
    })
  }

  async #work(runId: string, key: string, { call, cancel }: Going): Promise<void> {
    const { clock, store } = this.#options
    const run = this.find(runId, undefined)
    const one = run.steps[key]
    if (one === undefined) return
    const step = stepOf(run, one)
    const outputOf = (name: string) => outputsOf(run, name, (other) => this.outputOf(runId, other) ?? '')
    const work = {
      step,
      name: `${runId}.${key}.${one.attempt}`,
      cwd: run.cwd,
      signal: cancel.signal,
      instruction: fill(step.task, { outputOf, inputs: run.inputs, item: one.item }),
      began: (terminalId: string) => this.#set(runId, key, { state: 'working', terminalId }),
    }
    const end = await doStep(work, call, clock)
    if (cancel.signal.aborted) return
    const { exitCode } = end
    const endedAt = clock.wall()
    if (end.state === 'done') {
      store.saveOutput(runId, key, end.output)
      const outputBytes = Buffer.byteLength(end.output)
      this.#set(runId, key, { state: 'done', exitCode, endedAt, outputBytes, why: end.why })
    } else {
      const isAgain = one.attempt <= step.retries
      if (isAgain) await this.#closeTerminal(runId, key, call)
      this.#set(runId, key, { state: isAgain ? 'waiting' : 'failed', exitCode, endedAt, why: end.why })
    }
    this.#advance(runId)
  }

  #end(run: PipelineRun, state: 'done' | 'failed' | 'cancelled'): void {
    const { runId } = run
    const going = this.#going.get(runId)
    this.#keep({ ...run, state, endedAt: this.#options.clock.wall() })
    this.#going.delete(runId)
    if (going === undefined) return
    const isOpen = (one: StepRun) => one.terminalId !== null && one.state === 'done' && !stepOf(run, one).keep
    for (const { terminalId } of Object.values(run.steps).filter(isOpen))
      if (terminalId !== null) close(terminalId, going.call).catch((error: unknown) => this.#options.failed(error))
  }

  async #closeTerminal(runId: string, key: string, call: RunCaller['call']): Promise<void> {
    const terminalId = this.find(runId, undefined).steps[key]?.terminalId ?? null
    if (terminalId !== null) await close(terminalId, call)
  }

  #cancelled(one: StepRun): StepRun {
    const isOver = one.state === 'done' || one.state === 'failed' || one.state === 'skipped'
    return isOver ? one : { ...one, state: 'cancelled', endedAt: this.#options.clock.wall() }
  }

  #set(runId: string, key: string, change: Partial<StepRun>): void {
    const run = this.find(runId, undefined)
    const one = run.steps[key]
    if (one !== undefined) this.#keep({ ...run, steps: { ...run.steps, [key]: { ...one, ...change } } })
  }

  #keep(run: PipelineRun): void {
    this.#options.store.save(run)
    this.#runs.set(run.runId, run)
    this.#version += 1
    for (const listener of [...this.#listeners]) listener()
  }

  #nextId(): string {
    const numbers = [...this.#runs.keys()].map((id) => Number(id.slice(prefix.length)))
    return `${prefix}${Math.max(0, ...numbers) + 1}`
  }

  #forgetOldest(): void {
    for (const run of this.#runs.values()) {
      if (this.#runs.size <= runsKeptMax) return
      if (run.state === 'running') continue
      this.#options.store.drop(run.runId)
      this.#runs.delete(run.runId)
    }
  }
}

const prefix = 'run-'

/** The parts of a context that end with the call that started a run. A caller that has gone must receive nothing more. */
const withoutCall = {
  progress: undefined,
  approvalAsked: undefined,
  room: undefined,
} as unknown as Partial<CallContext>

/** All answers of a step, one below the other where it was done for several items. */
function outputsOf(run: PipelineRun, name: string, outputOf: (key: string) => string): string {
  const all = runsOf(run, name)
  if (all.length === 1) return outputOf(all[0]?.[0] ?? '')
  return all.map(([key, { item }]) => `${key} (${item ?? ''}):\n${outputOf(key)}`).join('\n\n')
}

/** Resets a step that is not done. */
function again(one: StepRun): StepRun {
  if (one.state === 'done') return one
  return { ...one, state: 'waiting', terminalId: null, endedAt: null, exitCode: null, why: null }
}

/** A terminal that was closed already is no error. */
const close = (terminalId: string, call: RunCaller['call']) =>
  call('close', { terminalId }).catch(ignoring('session_not_found'))
