/**
 * What one line leaves to the next: the folder, variables, aliases, functions, files written, history. A value: judging a line returns a
 * new one and leaves the old as it was.
 */

import type { Arg, Stream } from './value.ts'
import { arg } from './value.ts'

export type Variable =
  /** More than one value where it depends on what runs. */
  | {
      readonly kind: 'scalar'
      readonly values: readonly Arg[]
      /** Each value is evaluated when it is assigned: `declare -i`. */
      readonly isInteger?: boolean
    }
  | { readonly kind: 'array'; readonly elements: readonly Arg[] }
  /** Another name for a variable: `declare -n`. */
  | { readonly kind: 'reference'; readonly name: string }

export interface FunctionBody {
  /** The text that holds it, with the position of its body. */
  readonly source: string
}

export interface PolicyState {
  /** Null when it cannot be known. */
  cwd: string | null
  previousCwd: string | null
  readonly home: string
  readonly user: string
  readonly workspace: string
  /** Whether walls keep a path as it is, whatever is done to it; there are none without. */
  readonly isHeld?: IsHeld
  variables: Map<string, Variable>
  aliases: Map<string, string>
  /** Aliases of zsh that stand anywhere. */
  globalAliases: Map<string, string>
  functions: Map<string, FunctionBody>
  /** What was written to files, by path. */
  files: Map<string, Stream>
  /** What symbolic links lead to, by path. */
  links: Map<string, string>
  /** What file descriptors read from. */
  descriptors: Map<number, Stream>
  /** `$1` and on; null when they are not known. */
  positional: readonly Arg[] | null
  /** Folders that were unpacked or cloned from the network. */
  fetchedFolders: readonly string[]
  /** A secret has been added to a repository. */
  hasStagedSecret: boolean
  /** What `$0` is. */
  zero: Arg
  history: readonly string[]
}

/** `path` is absolute, and no pattern. */
export type IsHeld = (path: string) => boolean

export interface Surroundings {
  readonly cwd: string
  readonly home: string
  readonly user: string
  readonly workspace: string
  /** As in the state. */
  readonly isHeld?: IsHeld
  /** Of the user; unknown without it. */
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
    cwd,
    previousCwd: null,
    home,
    user,
    workspace,
    ...(isHeld === undefined ? {} : { isHeld }),
    variables: new Map(variables),
    aliases: new Map(),
    globalAliases: new Map(),
    functions: new Map(),
    files: new Map(),
    links: new Map(),
    descriptors: new Map(),
    positional: null,
    fetchedFolders: [],
    hasStagedSecret: false,
    zero: arg('bash'),
    history: [],
  }
}

/** A copy that may be changed; files are shared with a subshell, so it does not copy those. */
export function copyForSubshell(state: PolicyState): PolicyState {
  return {
    ...state,
    variables: copyOf(state.variables),
    aliases: copyOf(state.aliases),
    globalAliases: copyOf(state.globalAliases),
    functions: copyOf(state.functions),
    descriptors: copyOf(state.descriptors),
  }
}

export function copyState(state: PolicyState): PolicyState {
  const copy = copyForSubshell(state)
  copy.files = copyOf(state.files)
  copy.links = copyOf(state.links)
  return copy
}

/** Most are empty. */
function copyOf<Key, Value>(map: ReadonlyMap<Key, Value>): Map<Key, Value> {
  return map.size === 0 ? new Map() : new Map(map)
}
