/**
 * The table of a gate: which places are free, guarded, or anything else. native/ptyhost/src/gate_table.h says what its words mean, and the
 * gate decides by it alone; docs/effects.md says why each place is where it is.
 */

import { dirname } from 'node:path'
import { credentialFiles, isAtOrBelow, startFiles } from '@agentpty/shell-policy'

export interface GatePlaces {
  readonly workspace: string
  readonly home: string
  /** Folders of the programs that a shell finds by name. */
  readonly searchPath: readonly string[]
  /** The folder of temporary files. */
  readonly temporary: string
  /** Where programs keep what they can get again; below the home where it is not named. */
  readonly cache: string | undefined
  /** Folders of this agentpty. */
  readonly own: readonly string[]
  /** The gate keeps files of the workspace before programs delete or overwrite them. */
  readonly isKept: boolean
}

export const gateWords = ['free', 'kept', 'elsewhere', 'guarded', 'whole'] as const
export interface GateRow {
  readonly word: (typeof gateWords)[number]
  /** Absolute. With `*` at its end: all names that begin so. */
  readonly path: string
}

/** Caches, which can be downloaded or built again, and the histories and sessions that programs keep. */
const freeInHome = [
  '.cache',
  '.npm',
  '.pnpm-store',
  '.yarn',
  '.bun/install/cache',
  '.cargo/registry',
  '.cargo/git',
  '.cargo/.package-cache*',
  '.cargo/.global-cache*',
  '.rustup/tmp',
  '.rustup/downloads',
  '.gradle',
  '.m2/repository',
  '.ivy2',
  '.sbt',
  '.nuget',
  '.deno',
  '.gem',
  '.bundle/cache',
  '.composer/cache',
  '.pub-cache',
  '.cabal/packages',
  '.stack/pantry',
  '.hex',
  '.terraform.d/plugin-cache',
  '.local/share/pnpm',
  '.local/share/Trash',
  '.local/share/virtualenv',
  '.local/share/uv',
  '.local/state',
  '.node-gyp',
  '.electron',
  '.vscode-server',
  'go/pkg',
  '.bash_history*',
  '.zsh_history*',
  '.zcompdump*',
  '.zsh_sessions',
  '.local/share/fish/fish_history*',
  '.lesshs*',
  '.viminf*',
  '.vim/swap',
  '.local/share/nvim/swap',
  '.python_history*',
  '.node_repl_history*',
  '.sqlite_history*',
  '.psql_history*',
  '.wget-hsts',
  '.v8flags*',
  '.config/configstore',
  '.config/gcloud/logs',
  '.config/wrangler/logs',
  '.aws/cli/cache',
  '.docker/buildx',
  '.kube/cache',
  '.config/fish/fish_variables*',
  '.config/fish/fishd.tmp.*',
  // The agents themselves note their sessions there.
  '.claude',
  '.claude.json*',
  '.codex',
  '.gemini',
  '.copilot',
  '.qwen',
  '.config/opencode',
  '.local/share/opencode',
  '.config/goose',
  '.local/share/goose',
  '.cursor',
  '.aider*',
]

/** Folders, wherever they are, that hold what tools can make again: files of the workspace are kept but for these. */
const unkeptNames = [
  'node_modules',
  '__pycache__',
  '.venv',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.next',
  '.nuxt',
  '.turbo',
  '.parcel-cache',
  '.terraform',
]

/** Where programs start from, beside the files that the policy knows. */
const guardedInHome = ['.docker', '.local/bin', 'bin', 'go/bin', '.cargo/bin']

/** Files with the permissions of agents. The folders around them belong to the agents. */
const agentSettings = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks',
  '.codex/config.toml',
  '.codex/rules',
  '.cursor/mcp.json',
  '.cursor/cli.json',
  '.cursor/hooks.json',
  '.gemini/settings.json',
  '.gemini/policies',
  '.qwen/settings.json',
]

/** The start-up files and keys that the policy guards by words: with a gate they are guarded by it. */
function guardedByPolicy(home: string): readonly string[] {
  const inHome = freeInHome.map((path) => `${home}/${path.replace(/\*$/, '')}`)
  const paths = [...startFiles, ...credentialFiles]
    .map((pattern) => pattern.replace(/^~/, home).replace(/\/\*\*$/, ''))
    // A row can say how a name begins, and no more.
    .filter((pattern) => !/[*?]./.test(pattern))
    .filter((path) => !inHome.some((one) => isAtOrBelow(path, one)) && !/^\/(etc|proc|run)\//.test(path))
  return [...new Set(paths)]
}

/** fish makes it when it first starts. Its changes are asked about. */
const madeByShells = ['.config/fish/config.fish']

const free = (path: string): GateRow => ({ word: 'free', path })
const guarded = (path: string): GateRow => ({ word: 'guarded', path })

/** Rows in any order: the longest that contains a place decides. */
export function gateRows(places: GatePlaces): readonly GateRow[] {
  const { workspace, home, searchPath, temporary, cache, own, isKept } = places
  // A home, or a folder above one, is no workspace.
  const isWorkspace = !isAtOrBelow(home, workspace)
  const freePlaces = [
    '/tmp',
    '/var/tmp',
    // A row does not reach the file systems that are mounted below it.
    '/dev/pts',
    '/dev/shm',
    temporary,
    cache ?? [],
    freeInHome.map((path) => `${home}/${path}`),
    isWorkspace ? (isKept ? `${workspace}/.git` : workspace) : [],
  ].flat()
  const keptPlaces = isWorkspace && isKept ? [workspace] : []
  const isFree = (path: string) => [...freePlaces, ...keptPlaces].some((one) => isAtOrBelow(path, one))
  return [
    ...freePlaces.map(free),
    ...keptPlaces.map((path): GateRow => ({ word: 'kept', path })),
    // It may be in a free place.
    { word: 'elsewhere', path: home },
    ...['/etc', '/boot', '/usr/local/bin', '/usr/local/sbin'].map(guarded),
    ...guardedByPolicy(home).map(guarded),
    ...[...guardedInHome, ...agentSettings].map((path) => guarded(`${home}/${path}`)),
    ...madeByShells.map((path): GateRow => ({ word: 'elsewhere', path: `${home}/${path}` })),
    ...own.map(guarded),
    // A project’s own programs are free, as the rest of it.
    ...searchPath.filter((path) => path.startsWith('/') && !isFree(path)).map(guarded),
    { word: 'whole', path: home },
    ...(isWorkspace ? [workspace, `${workspace}/.git`].map((path): GateRow => ({ word: 'whole', path })) : []),
  ]
}

/** Returns the table in the form that the gate reads. A path with a line end cannot be written there, so its nearest folder without one stands for it if it is guarded. */
export function gateTable(places: GatePlaces): string {
  const { home } = places
  const beginnings = new Set([...freeInHome.map((path) => `${home}/${path}`), ...guardedByPolicy(home)])
  // A folder may be named as if its row were about the beginnings of names. With a slash behind it, it is about the folder.
  const written = (path: string) => (path.endsWith('*') && !beginnings.has(path) ? `${path}/` : path)
  return gateRows(places)
    .flatMap((row) => {
      if (!row.path.includes('\n')) return row
      return row.word === 'guarded' ? { ...row, path: withoutLineEnds(row.path) } : []
    })
    .map(({ word, path }) => `${word} ${written(path)}\n`)
    .concat(places.isKept ? unkeptNames.map((name) => `unkept ${name}\n`) : [])
    .join('')
}

function withoutLineEnds(path: string): string {
  let folder = path
  while (folder.includes('\n')) folder = dirname(folder)
  return folder
}
