/**
 * The state that one line leaves to the next: the folder, variables, aliases, functions, files written, history. A value: judging a line
 * returns a
 * new one and leaves the old as it was.
 */

import type { Arg, Stream } from '../walk/value.ts'
import { arg } from '../walk/value.ts'

export type Variable =
  /** More than one value where it depends on what runs. */
  | {
      readonly kind: 'scalar'
      readonly values: readonly Arg[]
      /** Each value is evaluated at its assignment: `declare -i`. */
      readonly isInteger?: boolean
    }
  | { readonly kind: 'array'; readonly elements: readonly Arg[] }
  /** Another name for a variable: `declare -n`. */
  | { readonly kind: 'reference'; readonly name: string }

export interface FunctionBody {
  /** The text that holds it, with the position of its body. */
  readonly source: string
}

/** A value that changes while a shell runs. States that have the same cell see the same value. */
export interface Cell<Value> {
  value: Value
}

export const cell = <Value>(value: Value): Cell<Value> => ({ value })

/** A shell changes its cells and maps. `Shell.within` replaces some of them for a command that runs elsewhere; others stay shared. */
export interface PolicyState {
  /** Null when it cannot be known. */
  readonly cwd: Cell<string | null>
  readonly previousCwd: Cell<string | null>
  readonly home: string
  readonly user: string
  readonly workspace: string
  /** Whether sandbox walls keep a path unchanged, whatever a program does to it; null without walls. */
  readonly isHeld: IsHeld | null
  /** The gate that sees what commands here do to files; null without one. */
  readonly gate: GateView | null
  readonly variables: Map<string, Variable>
  readonly aliases: Map<string, string>
  /** Aliases of zsh that apply in any position. */
  readonly globalAliases: Map<string, string>
  readonly functions: Map<string, FunctionBody>
  readonly files: Map<string, Stream>
  readonly links: Map<string, string>
  readonly descriptors: Map<number, Stream>
  /** `$1` and on; null when they are not known. */
  readonly positional: Cell<readonly Arg[] | null>
  /** Folders that were unpacked or cloned from the network. */
  readonly fetchedFolders: string[]
  /** A secret has been added to a repository. */
  readonly hasStagedSecret: Cell<boolean>
  readonly zero: Arg
  readonly history: readonly string[]
}

/** A gate that asks about changes of files where programs make them, or keeps what they take away. */
export interface GateView {
  /** Programs can get more rights: the gate of an ordinary user takes that from them. */
  readonly canElevate: boolean
  /** The contents of the file are kept before a program changes them. `path` is absolute. */
  readonly isKept: (path: string) => boolean
}

/** `path` is absolute, and no pattern. */
export type IsHeld = (path: string) => boolean

export interface Surroundings {
  readonly cwd: string
  readonly home: string
  readonly user: string
  readonly workspace: string
  /** Like the field of the state; absent without walls. */
  readonly isHeld?: IsHeld
  /** The shell of the user; absent when unknown. */
  readonly shell?: string
}

export function initialState({ cwd, home, user, workspace, shell, isHeld }: Surroundings): PolicyState {
  const known: Readonly<Record<string, string>> = {
    HOME: home,
    USER: user,
    LOGNAME: user,
    TMPDIR: '/tmp',
    XDG_RUNTIME_DIR: '/run/user/1000',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    IFS: ' \t\n',
    ...(shell === undefined ? {} : { SHELL: shell }),
  }
  const variables = Object.entries(known).map(([name, value]): [string, Variable] => [
    name,
    { kind: 'scalar', values: [arg(value)] },
  ])
  return {
    cwd: cell(cwd),
    previousCwd: cell(null),
    home,
    user,
    workspace,
    isHeld: isHeld ?? null,
    gate: null,
    variables: new Map(variables),
    aliases: new Map(),
    globalAliases: new Map(),
    functions: new Map(),
    files: new Map(),
    links: new Map(),
    descriptors: new Map(),
    positional: cell(null),
    fetchedFolders: [],
    hasStagedSecret: cell(false),
    zero: arg('bash'),
    history: [],
  }
}

/**
 * A shell of its own in the same place: files and what became of them are shared. Every field is named, because a spread of as many is
 * slower and each line begins with a copy.
 */
export function copyForSubshell(
  state: PolicyState,
  { files, links, fetchedFolders, hasStagedSecret, gate }: Shared = state,
): PolicyState {
  const { home, user, workspace, isHeld, zero, history } = state
  return {
    cwd: cell(state.cwd.value),
    previousCwd: cell(state.previousCwd.value),
    home,
    user,
    workspace,
    isHeld,
    gate,
    variables: copyOf(state.variables),
    aliases: copyOf(state.aliases),
    globalAliases: copyOf(state.globalAliases),
    functions: copyOf(state.functions),
    files,
    links,
    descriptors: copyOf(state.descriptors),
    positional: cell(state.positional.value),
    fetchedFolders,
    hasStagedSecret,
    zero,
    history,
  }
}

type Shared = Pick<PolicyState, 'files' | 'links' | 'fetchedFolders' | 'hasStagedSecret' | 'gate'>

export function copyState(state: PolicyState, gate: GateView | null = null): PolicyState {
  return copyForSubshell(state, {
    files: copyOf(state.files),
    links: copyOf(state.links),
    fetchedFolders: [...state.fetchedFolders],
    hasStagedSecret: cell(state.hasStagedSecret.value),
    gate,
  })
}

/** Variables of a command with assignments before it: these are its own and end with it, all others are the shell's. */
export class CommandVariables extends Map<string, Variable> {
  readonly #shell: Map<string, Variable>
  readonly #own: ReadonlySet<string>

  constructor(shell: Map<string, Variable>, own: readonly { readonly name: string }[]) {
    super()
    this.#shell = shell
    this.#own = new Set(own.map(({ name }) => name))
    for (const [name, variable] of shell) super.set(name, variable)
  }

  override set(name: string, variable: Variable): this {
    if (!this.#own.has(name)) this.#shell.set(name, variable)
    return super.set(name, variable)
  }
}

/** Most are empty. */
function copyOf<Key, Value>(map: ReadonlyMap<Key, Value>): Map<Key, Value> {
  return map.size === 0 ? new Map() : new Map(map)
}
