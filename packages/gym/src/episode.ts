/** One episode: a container, or a folder without one, with its terminals. It is made, played and discarded. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, invalidInput, type Offset } from '@agentpty/protocol'
import type {
  EnvironmentCall,
  EnvironmentSpec,
  ParsedAction,
  ResetResult,
  RunningContainer,
  StepResult,
} from '@agentpty/protocol/gym'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { clockVariables, insideVariables, sameEverywhere } from './inside.ts'
import type { MakeContainer } from './make-container.ts'
import type { FileReset } from './resets/file-reset.ts'

/** The terminal that an action goes to which names none. */
export const mainTerminal = 'main'

export interface EpisodeParts {
  readonly clock: Pick<Clock, 'wall'>
  readonly environmentId: string
  readonly spec: EnvironmentSpec
  readonly fileReset: FileReset
  /** A folder that is not there yet. */
  readonly stage: string
  readonly makeContainer: MakeContainer
}

export interface EpisodeTerminal {
  readonly id: string
  /** The end of what has been shown of it. */
  cursor: Offset
  /** The output shown since the last action. */
  shown: string
}

export interface Taken {
  readonly action: ParsedAction
  /** Null while it is taken. */
  readonly result: StepResult | null
}

/** The actions of an episode, and the output shown before the first one. */
export interface EpisodePlay {
  readonly begun: ResetResult
  readonly taken: readonly Taken[]
}

export class Episode {
  #seed: number | null = null
  #clockVariables: Readonly<Record<string, string>> = {}
  readonly #parts: EpisodeParts
  readonly #terminals = new Map<string, EpisodeTerminal>()
  #container: RunningContainer | null = null
  /** The folder of its files on this machine, without a container. */
  #folder: string | null = null
  isOver = false
  readonly taken: Taken[] = []

  constructor(parts: EpisodeParts) {
    this.#parts = parts
  }

  get seed(): number | null {
    return this.#seed
  }

  get steps(): number {
    return this.taken.length
  }

  get container(): RunningContainer | null {
    return this.#container
  }

  get variables(): Readonly<Record<string, string>> {
    const { spec } = this.#parts
    const own = { ...spec.env, ...this.#clockVariables }
    return this.#folder === null ? insideVariables(spec.workdir, this.#seed, own) : sameEverywhere(this.#seed, own)
  }

  /** Replaces its files by the current files of another episode, before anything runs. Errors: `machine_unfit`. */
  async takeFiles(from: Episode): Promise<void> {
    const own = this.#container
    const theirs = from.container
    if (own === null || theirs === null)
      throw invalidInput('Without a container files cannot be taken over.', 'Fork it by {"how":"replay"}.')
    const { workdir, layers } = this.#parts.spec
    for (const target of new Set([workdir, ...layers.map((layer) => layer.target)])) await theirs.copyTo(own, target)
  }

  /** Makes everything that does not depend on the player. Called once. Errors: those of making a container. */
  async prepare(): Promise<void> {
    const { spec, fileReset, stage } = this.#parts
    await mkdir(stage, { recursive: true, mode: 0o700 })
    const layers = await fileReset.prepare(stage)
    if (spec.isolation === 'none') this.#folder = layers[0]?.folder ?? stage
    else this.#container = await this.#parts.makeContainer({ stage, layers, spec, isInMemory: fileReset.isInMemory })
  }

  /** Opens the terminal and returns its first output. Errors: those of `create`. */
  async begin(seed: number | null, caller: EnvironmentCall): Promise<VerbOutput<'create'>> {
    const { spec } = this.#parts
    this.#seed = seed
    this.#clockVariables = clockVariables(spec, this.#parts.clock.wall())
    // Others first: the program of the first terminal may need them.
    const others = Object.entries(spec.terminals ?? {})
    await Promise.all(others.map(([name, program]) => this.#open(name, program, caller)))
    return this.#open(mainTerminal, spec.program, caller)
  }

  async #open(name: string, program: EnvironmentSpec['program'], caller: EnvironmentCall) {
    const { spec, environmentId } = this.#parts
    const where = this.#folder === null ? { environment: environmentId } : { cwd: this.#folder, env: this.variables }
    const size = { rows: spec.rows, cols: spec.cols }
    const command = program === undefined ? {} : { command: typeof program === 'string' ? program : [...program] }
    const asked = { ...where, ...size, ...command, waitTimeoutMs: spec.stepTimeoutMs }
    const opened = await caller.call('create', asked)
    this.#terminals.set(name, { id: opened.terminalId, cursor: opened.cursor, shown: '' })
    return opened
  }

  terminal(name: string = mainTerminal): EpisodeTerminal | null {
    return this.#terminals.get(name) ?? null
  }

  get terminalNames(): readonly string[] {
    return [...this.#terminals.keys()]
  }

  /** The ids of the further ones, by their names; undefined where there are none. */
  get furtherTerminals(): Readonly<Record<string, string>> | undefined {
    const further = [...this.#terminals].filter(([name]) => name !== mainTerminal).map(([name, { id }]) => [name, id])
    return further.length === 0 ? undefined : Object.fromEntries(further)
  }

  /** Ends its programs; their files remain. Without a container they end with their terminals. */
  async stop(): Promise<void> {
    await this.#container?.end()
  }

  async end(caller: EnvironmentCall | null): Promise<void> {
    const ids = [...this.#terminals.values()].map(({ id }) => id)
    // Its programs end with the container, so that closing the terminals waits for none.
    await this.#container?.end()
    // Another caller may have closed them.
    for (const terminalId of ids) await caller?.call('close', { terminalId }).catch(() => undefined)
    await this.#parts.fileReset.discard(this.#parts.stage)
  }
}

/** The folder of an environment's n-th episode. */
export const stageOf = (folder: string, number: number): string => join(folder, `e${number}`)
