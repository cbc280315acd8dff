/** All environments of one server. Each has a folder of its own, which goes with it. */

import { join } from 'node:path'
import { type Clock, invalidInput, KeyedQueue, limitReached, type Stop, TermError } from '@agentpty/protocol'
import {
  type AskedStep,
  containersMax,
  type EnvironmentCall,
  type EnvironmentMade,
  type EnvironmentShown,
  type EnvironmentSpec,
  type Environments,
  environmentsMaxMax,
  type ForkResult,
  type InsideStart,
  type ResetResult,
  type RunningContainer,
  type StepResult,
  stepsAheadMax,
  type Verification,
} from '@agentpty/protocol/gym'
import { Environment } from './environment.ts'
import { assertClock, scriptsInside, shellInside } from './inside.ts'
import { Later } from './later.ts'
import type { MakeContainer } from './make-container.ts'
import type { EnvironmentTask, OpenedTask } from './run/environment-task.ts'
import { settleReset, Ways } from './settle-reset.ts'
import { removePath } from './tree/remove.ts'

export interface EnvironmentsOptions {
  readonly clock: Clock
  readonly environmentsMax: number
  /** The folder that environments write to. No process uses its content when a server starts. */
  readonly folder: string
  readonly makeContainer: MakeContainer
  /** The path on this machine of a system folder inside; null where it has none. */
  readonly systemOf: (target: string) => string | null
  /** `folder`: of the environment, for everything that is written. Errors: `invalid_input`, `machine_unfit`. */
  readonly openTask: (asked: EnvironmentSpec, folder: string) => Promise<OpenedTask>
  /** Reports an environment that could not be closed after its client disconnected. */
  readonly failed: (error: unknown) => void
  readonly closeContainers: () => Promise<void>
}

interface Kept {
  readonly environment: Environment
  /** The requested specification, for a copy of this environment. */
  readonly asked: EnvironmentSpec
  readonly task: EnvironmentTask | null
  readonly made: Omit<EnvironmentMade, 'task'>
  /** Stops waiting for its client to disconnect. */
  readonly forget: Stop
  /** The number of running and waiting requests. */
  waiting: number
}

export class GymEnvironments implements Environments {
  readonly #options: EnvironmentsOptions
  readonly #kept = new Map<string, Kept>()
  readonly #ways: Ways
  readonly #later = new Later()
  /** Runs the requests of each environment one after the other. */
  readonly #turns = new KeyedQueue()
  #lastNumber = 0
  /** Environments that are being made; they count towards the limit. */
  #making = 0

  constructor(options: EnvironmentsOptions) {
    this.#options = options
    this.#ways = new Ways(options.makeContainer, join(options.folder, 'probe'))
  }

  async make(spec: EnvironmentSpec, caller: EnvironmentCall): Promise<EnvironmentMade> {
    const kept = await this.#keep(spec, caller)
    kept.environment.prepareNext()
    return { ...kept.made, ...aboutTask(kept) }
  }

  async #keep(asked: EnvironmentSpec, caller: EnvironmentCall): Promise<Kept> {
    const { environmentsMax } = this.#options
    if (this.#kept.size + this.#making >= environmentsMax)
      throw limitReached(
        `${environmentsMax} environments are open, which is the limit.`,
        `Close some, or set environmentsMax below gym in config.yaml (at most ${environmentsMaxMax}) and start the server anew.`,
      )
    // Counted before anything is waited for: others ask meanwhile.
    this.#making++
    try {
      return await this.#makeCounted(asked, caller)
    } finally {
      this.#making--
    }
  }

  async #makeCounted(asked: EnvironmentSpec, caller: EnvironmentCall): Promise<Kept> {
    const { clock, folder: root, makeContainer } = this.#options
    const id = `env-${++this.#lastNumber}`
    const folder = join(root, id)
    try {
      const { spec, task } = await this.#options.openTask(asked, folder)
      assertClock(spec)
      const fileReset = await settleReset(spec, { folder, ways: this.#ways, systemOf: this.#options.systemOf })
      // One that waits for its reset must not take the room of one that is played.
      const mayPrepare = () => this.#kept.size * 2 <= containersMax
      const parts = { clock, id, spec, fileReset, folder, makeContainer, later: this.#later, task, mayPrepare }
      const made = { environmentId: id, isolation: spec.isolation, resetBy: fileReset.kind, workdir: spec.workdir }
      const environment = new Environment(parts)
      const forget = caller.context.onGone?.(() => this.#closeFor(id, caller)) ?? (() => {})
      const kept = { environment, asked, task, made, forget, waiting: 0 }
      this.#kept.set(id, kept)
      return kept
    } catch (error) {
      await removePath(folder)
      throw error
    }
  }

  reset(id: string, { seed }: { readonly seed: number | null }, caller: EnvironmentCall): Promise<ResetResult> {
    return this.#inTurn(id, (environment) => environment.reset(seed, caller))
  }

  step(id: string, asked: AskedStep, caller: EnvironmentCall): Promise<StepResult> {
    return this.#inTurn(id, (environment) => environment.step(asked, caller))
  }

  async fork(id: string, how: 'replay' | 'files', caller: EnvironmentCall): Promise<ForkResult> {
    const { environment: original, asked } = this.#find(id)
    const fork = await this.#keep(asked, caller)
    const { environmentId } = fork.made
    try {
      const forked = await this.#inTurn(environmentId, (environment) =>
        this.#inTurn(id, () => environment.become(original, how, caller)),
      )
      return { environmentId, ...aboutTask(fork), ...forked }
    } catch (error) {
      await this.close(environmentId, caller)
      throw error
    }
  }

  verify(id: string, caller: EnvironmentCall): Promise<Verification> {
    return this.#inTurn(id, (environment) => environment.verify(caller))
  }

  async close(id: string, caller: EnvironmentCall): Promise<void> {
    // A step that is under way ends with its program.
    const kept = this.#find(id)
    void kept.environment.container?.end()
    // However many steps wait: it is the last thing that is done with it.
    await this.#afterOthers(kept, (environment) => environment.close(caller))
    kept.forget()
    this.#kept.delete(id)
    await removePath(join(this.#options.folder, id))
  }

  /** A client that has gone closes nothing any more. */
  #closeFor(id: string, caller: EnvironmentCall): void {
    // Once the call that makes it is through, where its client has gone meanwhile.
    setImmediate(() => {
      if (this.#kept.has(id)) this.close(id, caller).catch(this.#options.failed)
    })
  }

  list(): readonly EnvironmentShown[] {
    return [...this.#kept.values()].map(({ environment, made, task }) => ({
      ...made,
      ...aboutTask({ task }),
      episodeId: environment.episodeId,
      step: environment.steps,
      terminalId: environment.terminalId,
    }))
  }

  container(id: string): RunningContainer {
    const { container } = this.#find(id).environment
    if (container === null)
      throw invalidInput(`${id} has no container now.`, 'Reset it first; with isolation "none" it has none.')
    return container
  }

  scopeOf(id: string): string | null {
    return this.#kept.get(id)?.environment.spec.scope ?? null
  }

  insideStart(id: string, asked?: string): InsideStart {
    const { variables, spec } = this.#find(id).environment
    const cwd = asked ?? spec.workdir
    const container = this.container(id)
    return {
      words: container.terminalWords(cwd),
      cwd,
      ptmx: container.ptmx,
      env: variables,
      shell: shellInside,
      shellScripts: scriptsInside,
    }
  }

  /** Ends all environments with their server; their terminals are closed with all others. Errors: folders that could not be removed. */
  async dispose(): Promise<void> {
    const closing = [...this.#kept.values()].map(({ environment }) => environment.close(null))
    this.#kept.clear()
    const closed = await Promise.allSettled(closing)
    await this.#options.closeContainers()
    await removePath(this.#options.folder)
    for (const one of closed) if (one.status === 'rejected') throw one.reason
  }

  #find(id: string): Kept {
    const kept = this.#kept.get(id)
    if (kept !== undefined) return kept
    const ids = [...this.#kept.keys()]
    const open = ids.length === 0 ? 'None is open.' : `Open: ${ids.slice(0, 20).join(', ')}.`
    throw new TermError('environment_not_found', `No environment "${id}".`, `${open} Make one first.`)
  }

  #inTurn<Result>(id: string, act: (environment: Environment) => Promise<Result>): Promise<Result> {
    const kept = this.#find(id)
    if (kept.waiting > stepsAheadMax)
      throw limitReached(`${stepsAheadMax} steps of ${id} wait already.`, 'Wait for their results.')
    return this.#afterOthers(kept, act)
  }

  #afterOthers<Result>(kept: Kept, act: (environment: Environment) => Promise<Result>): Promise<Result> {
    kept.waiting++
    return this.#turns.run(kept.made.environmentId, () => act(kept.environment)).finally(() => kept.waiting--)
  }
}

const aboutTask = ({ task }: Pick<Kept, 'task'>): Pick<EnvironmentMade, 'task'> =>
  task === null ? {} : { task: task.about }
