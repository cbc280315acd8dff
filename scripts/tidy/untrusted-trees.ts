/**
 * Folders of tasks, trials and environments are filled by another party. A call that opens a path in one of them follows its links, so only
 * `gym/tree` touches them. Every other use of the file system in `gym` has a row here, which says why its paths are our own.
 */
import { errorAt, isPackageSource, type Problem, type SourceFile } from './source.ts'

const gym = 'packages/gym/src/'
const trees = `${gym}tree/`

/** By the file below `gym`: what it takes from `node:fs`, and why that is safe. */
const ownPaths: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
  'handlers.ts': { names: ['existsSync'], why: 'a task folder that the caller names' },
  'inside.ts': {
    names: ['existsSync', 'lstatSync', 'readdirSync', 'readlinkSync'],
    why: 'libraries of this machine; folders of this machine',
  },
  'settle-reset.ts': {
    names: ['constants', 'copyFile', 'lstat', 'mkdir', 'readdir', 'readlink', 'symlink', 'writeFile'],
    why: 'the /etc of this machine, into a new folder; files for trying a reset, in a new folder',
  },
  'episode.ts': { names: ['mkdir'], why: 'the stage, before a container has it' },
  'resets/tree-copy.ts': {
    names: ['lstatSync', 'mkdir', 'writeFileSync'],
    why: 'the folder that holds copies; the copy before its first use, and a file beside it',
  },
  'resets/git.ts': {
    names: ['existsSync', 'mkdir', 'writeFile'],
    why: 'the copy before its first use, and the repository beside it',
  },
  'resets/file-reset.ts': { names: ['mkdir'], why: 'an empty folder beside the stage' },
  'folder-files.ts': { names: ['closeSync', 'fstatSync'], why: 'descriptors' },
  'whole-file.ts': {
    names: ['existsSync', 'mkdirSync', 'renameSync', 'rmSync', 'writeFileSync'],
    why: 'files that we write; those that others have filled lie below folders that keep no links',
  },
  'harbor/verifier-rewards.ts': {
    names: ['rmSync'],
    why: 'names in a folder of the caller, of which links are removed and not followed',
  },
  'run/prepare-task.ts': { names: ['existsSync'], why: 'programs of this machine' },
  'run/put-in-place.ts': { names: ['closeSync', 'existsSync'], why: 'a descriptor, and folders of this machine' },
  'run/settle.ts': { names: ['mkdirSync'], why: 'the folder of artifacts of our own trial' },
  'run/job-config.ts': {
    names: ['cpSync', 'existsSync', 'readdirSync', 'rmSync', 'statSync'],
    why: 'folders that the caller names, and whether they have a task.toml; tasks of ours, or whose generator a person has allowed',
  },
  'run/gym-room.ts': {
    names: ['existsSync', 'mkdirSync', 'readFileSync'],
    why: 'the folder that the caller names for writing, and screens that we have written there',
  },
  'run/judge.ts': { names: ['mkdtempSync', 'rmSync'], why: 'a new folder' },
  'run/verify.ts': { names: ['mkdirSync', 'mkdtempSync', 'rmSync'], why: 'folders of our own trial, and a new one' },
  'run/job.ts': { names: ['mkdirSync', 'rmSync'], why: 'folders of our own job' },
  'run/trial.ts': { names: ['mkdirSync'], why: 'the folder of our own trial' },
  'run/play-parts.ts': { names: ['mkdirSync'], why: 'folders of our own trial' },
  'run/play-log.ts': { names: ['readFileSync'], why: 'what we have written' },
  'run/environment-task.ts': { names: ['mkdirSync', 'readFile'], why: 'new folders, and what we have written' },
  'run/replay.ts': { names: ['existsSync', 'statSync'], why: 'what the caller names' },
}

export function untrustedTreeRule(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(gym) && !file.path.startsWith(trees) && isPackageSource(file))
    .filter((file) => !file.path.endsWith('-fixture.ts'))
    .flatMap(unlistedUses)
}

const imported = /import(?: type)? \{([^}]*)\} from 'node:fs(?:\/promises)?'/g
const whole =
  /import \* as \w+ from 'node:fs(?:\/promises)?'|import \w+ from 'node:fs(?:\/promises)?'|import\('node:fs/g

function unlistedUses(file: SourceFile): Problem[] {
  const listed = ownPaths[file.path.slice(gym.length)]?.names ?? []
  const named = [...file.text.matchAll(imported)].flatMap((match) =>
    (match[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ') && !listed.includes(name))
      .map((name) => errorAt(file, match.index, complaint(name))),
  )
  const all = [...file.text.matchAll(whole)].map((match) => errorAt(file, match.index, complaint('all of node:fs')))
  return [...named, ...all]
}

const complaint = (name: string): string =>
  `${name} follows links that another party may have placed; use gym/tree, or add a row to scripts/tidy/untrusted-trees.ts that says why the path is our own`
