/** Trees as a hostile side would leave them, for tests. */

import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const secret = 'what only the host may read'

/** Names that are options, patterns, line breaks, or no text at all. */
export const oddNames: readonly Buffer[] = [
  ...[
    'a',
    'b',
    '-rf',
    '--to-command=id',
    '--',
    ' ',
    'a\nb',
    '*',
    '?',
    '[x]',
    '~',
    '$(id)',
    '..a',
    'out',
    'x'.repeat(255),
  ].map((name) => Buffer.from(name)),
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0x61, 0xc3]),
]

export const linkTargets = [
  '.',
  '..',
  '../..',
  '../outside',
  '../outside/secret',
  '../../outside',
  '/',
  'a',
  'a/out',
  'nowhere',
] as const

export const oddModes = [0o644, 0o600, 0o755, 0o4755, 0o6711, 0o444, 0o000, 0o1777] as const

export type RandomEntry =
  | { readonly kind: 'file'; readonly name: Buffer; readonly mode: number; readonly text: string }
  | { readonly kind: 'link'; readonly name: Buffer; readonly target: string }
  | { readonly kind: 'outside'; readonly name: Buffer; readonly isFile: boolean }
  | { readonly kind: 'pipe' | 'socket' | 'device'; readonly name: Buffer }
  | { readonly kind: 'folder'; readonly name: Buffer; readonly mode: number; readonly entries: readonly RandomEntry[] }

/** A folder with `inside`, which has the tree, and `outside`, which no operation may reach. */
export function plant(entries: readonly RandomEntry[]) {
  const root = mkdtempSync(join(tmpdir(), 'agentpty-tree-'))
  const inside = join(root, 'inside')
  const outside = join(root, 'outside')
  mkdirSync(inside)
  mkdirSync(join(outside, 'folder'), { recursive: true })
  writeFileSync(join(outside, 'secret'), secret)
  const others: Other[] = []
  fill(Buffer.from(inside), entries, { outside, others })
  makeOthers(others)
  return { root, inside, outside }
}

interface FillPlaces {
  readonly outside: string
  /** Entries that another program has to make. */
  readonly others: Other[]
}

function fill(folder: Buffer, entries: readonly RandomEntry[], places: FillPlaces): void {
  const taken = new Set<string>()
  for (const entry of entries) {
    const path = Buffer.concat([folder, Buffer.from('/'), entry.name])
    if (taken.has(path.toString('hex'))) continue
    taken.add(path.toString('hex'))
    if (entry.kind === 'file') writeFileSync(path, entry.text)
    else if (entry.kind === 'link') symlinkSync(entry.target, path)
    else if (entry.kind === 'outside') symlinkSync(entry.isFile ? join(places.outside, 'secret') : places.outside, path)
    else if (entry.kind === 'folder') {
      mkdirSync(path)
      fill(path, entry.entries, places)
    } else places.others.push({ path, kind: entry.kind })
    if (entry.kind === 'file' || entry.kind === 'folder') chmodSync(path, modeFor(entry.mode))
  }
}

interface Other {
  readonly path: Buffer
  readonly kind: 'pipe' | 'socket' | 'device'
}

/** Reads a line of entries from one pipe, makes them, and answers by a line in another, until the first pipe is closed. */
const makerCode = `import os, stat, sys
answers = open(sys.argv[2], 'w')
for line in open(sys.argv[1]):
    for entry in line.split():
        kind, path = entry.split(':')
        type = {'pipe': stat.S_IFIFO, 'socket': stat.S_IFSOCK, 'device': stat.S_IFCHR if os.geteuid() == 0 else stat.S_IFIFO}[kind]
        os.mknod(bytes.fromhex(path), 0o600 | type, os.makedev(1, 3))
    answers.write('made\\n')
    answers.flush()`

interface Maker {
  readonly requests: number
  readonly answers: number
}

let maker: Maker | null = null

/** Starts one Python for all trees of this process: starting one for each tree took longer than the tests. It ends with the process. */
function startMaker(): Maker {
  const folder = mkdtempSync(join(tmpdir(), 'agentpty-maker-'))
  const [requests, answers] = [join(folder, 'requests'), join(folder, 'answers')]
  execFileSync('mkfifo', [requests, answers])
  // Without Python, opening a pipe would wait for ever.
  execFileSync('python3', ['--version'], { stdio: 'ignore' })
  spawn('python3', ['-IS', '-c', makerCode, requests, answers], { stdio: ['ignore', 'ignore', 'inherit'] }).unref()
  // In the order in which Python opens them: each end waits for the other.
  const answersEnd = openSync(answers, 'r')
  const requestsEnd = openSync(requests, 'w')
  rmSync(folder, { recursive: true })
  return { requests: requestsEnd, answers: answersEnd }
}

/** By a program of the system, because Node makes none of these. Only the superuser makes devices. */
function makeOthers(others: readonly Other[]): void {
  if (others.length === 0) return
  maker ??= startMaker()
  writeSync(maker.requests, `${others.map(({ kind, path }) => `${kind}:${path.toString('hex')}`).join(' ')}\n`)
  // Without an answer Python has ended, and its error is on standard error.
  if (readSync(maker.answers, Buffer.alloc(5)) === 0) throw new Error('The entries of the tree could not be made.')
}

/** An ordinary user could not fill a folder that is closed, nor read such a file. */
const modeFor = (mode: number): number => (process.getuid?.() === 0 ? mode : mode | 0o700)

/** All that can be seen of a tree: two that are equal look the same. Links are not followed. */
export function pictureOf(folder: string): readonly string[] {
  const lines: string[] = []
  const look = (path: Buffer): void => {
    const stat = lstatSync(path)
    const what = stat.isSymbolicLink()
      ? `-> ${readlinkSync(path)}`
      : stat.isFile()
        ? readFileSync(path).toString('latin1')
        : ''
    lines.push(`${path.toString('latin1')} ${stat.mode.toString(8)} ${what}`)
    if (stat.isDirectory())
      for (const one of readdirSync(path, { encoding: 'buffer' })) look(Buffer.concat([path, Buffer.from('/'), one]))
  }
  look(Buffer.from(folder))
  return lines.toSorted()
}
