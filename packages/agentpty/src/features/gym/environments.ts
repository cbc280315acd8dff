/** All environments of one server. Each has a folder of its own, which goes with it. */

import { join } from 'node:path'
import { TermError } from '../../contracts/errors.ts'
import type { ParsedAction } from '../../contracts/gym/action.ts'
import type { RunningContainer } from '../../contracts/gym/container.ts'
import type { EnvironmentSpec, ResetResult, StepResult } from '../../contracts/gym/environment.ts'
import type {
  EnvironmentCall,
  EnvironmentMade,
  EnvironmentShown,
  Environments,
  ForkResult,
  InsideStart,
} from '../../contracts/gym/environments.ts'
import { environmentsMax, stepsAheadMax } from '../../contracts/gym/gym-limits.ts'
import type { Clock } from '../../contracts/ports.ts'
import { Environment } from './environment.ts'
import { scriptsInside, shellInside } from './inside.ts'
import { Later } from './later.ts'
import type { MakeContainer } from './make-container.ts'
import { removeFolder } from './resets/remove-folder.ts'
import { settleReset, Ways } from './settle-reset.ts'

export interface EnvironmentsOptions {
  readonly clock: Clock
  /** For everything that environments write; what lies there is of nobody when a server begins. */
  readonly folder: string
  readonly makeContainer: MakeContainer
  /** What the system has at a folder inside, on this machine; null: nothing. */
  readonly systemOf: (target: string) => string | null
  /** Ends all of them. */
  readonly closeContainers: () => Promise<void>
}

interface Kept {
  readonly environment: Environment
  readonly made: EnvironmentMade
  /** What is being done with it: one thing after the other. */
  last: Promise<unknown>
  waiting: number
}

export class GymEnvironments implements Environments {
  readonly #options: EnvironmentsOptions
  readonly #kept = new Map<string, Kept>()
  readonly #ways: Ways
  readonly #later = new Later()
  #lastNumber = 0

  constructor(options: EnvironmentsOptions) {
    this.#options = options
    this.#ways = new Ways(options.makeContainer, join(options.folder, 'probe'))
  }

  async make(spec: EnvironmentSpec): Promise<EnvironmentMade> {
    const made = await this.#keep(spec)
    this.#find(made.environmentId).environment.prepareNext()
    return made
  }

  async #keep(spec: EnvironmentSpec): Promise<EnvironmentMade> {
    const { clock, folder: root, makeContainer } = this.#options
    if (this.#kept.size >= environmentsMax)
      throw new TermError(
        'limit_reached',
        `${environmentsMax} environments are open, which is the limit.`,
        'Close some.',
      )
    const id = `env-${++this.#lastNumber}`
    const folder = join(root, id)
    const fileReset = await settleReset(spec, { folder, ways: this.#ways, systemOf: this.#options.systemOf })
    const environment = new Environment({ clock, id, spec, fileReset, folder, makeContainer, later: this.#later })
    const { isolation, workdir } = spec
    const made = { environmentId: id, isolation, resetBy: fileReset.kind, workdir }
    this.#kept.set(id, { environment, made, last: Promise.resolve(), waiting: 0 })
    return made
  }

  reset(id: string, { seed }: { readonly seed: number | null }, caller: EnvironmentCall): Promise<ResetResult> {
    return this.#inTurn(id, (environment) => environment.reset(seed, caller))
  }

  step(id: string, action: ParsedAction, caller: EnvironmentCall): Promise<StepResult> {
    return this.#inTurn(id, (environment) => environment.step(action, caller))
  }

  async fork(id: string, how: 'replay' | 'files', caller: EnvironmentCall): Promise<ForkResult> {
    const { environment: original } = this.#find(id)
    const { environmentId } = await this.#keep(original.spec)
    try {
      const forked = await this.#inTurn(environmentId, (environment) =>
        this.#inTurn(id, () => environment.become(original, how, caller)),
      )
      return { environmentId, ...forked }
    } catch (error) {
      await this.close(environmentId, caller)
      throw error
    }
  }

  async close(id: string, caller: EnvironmentCall): Promise<void> {
    // A step that is under way ends with its program.
    void this.#find(id).environment.container?.end()
    await this.#inTurn(id, (environment) => environment.close(caller))
    this.#kept.delete(id)
    await removeFolder(join(this.#options.folder, id))
  }

  list(): readonly EnvironmentShown[] {
    return [...this.#kept.values()].map(({ environment, made }) => ({
      ...made,
      episodeId: environment.episodeId,
      step: environment.steps,
      terminalId: environment.terminalId,
    }))
  }

  container(id: string): RunningContainer {
    const { container } = this.#find(id).environment
    if (container === null)
      throw new TermError(
        'invalid_input',
        `${id} has no container now.`,
        'Reset it first; with isolation "none" it has none.',
      )
    return container
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

  /** Those of a server that ends go with it; their terminals are closed with all others. Errors: what of them could not be removed. */
  async dispose(): Promise<void> {
    const closing = [...this.#kept.values()].map(({ environment }) => environment.close(null))
    this.#kept.clear()
    const closed = await Promise.allSettled(closing)
    await this.#options.closeContainers()
    await removeFolder(this.#options.folder)
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
      throw new TermError('limit_reached', `${stepsAheadMax} steps of ${id} wait already.`, 'Wait for their results.')
    kept.waiting++
    const done = kept.last.then(() => act(kept.environment)).finally(() => kept.waiting--)
    // Who asked for it is told of its failure; whoever comes next begins anew.
    kept.last = done.catch(() => undefined)
    return done
  }
}
