/** The targets of the published package's ptyhost, their paths, and whether they are up to date with the sources. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Target {
  /** In Node's form: `${process.platform}-${process.arch}`. */
  readonly name: string
  /** The SYSTEM value of native/ptyhost/Makefile. */
  readonly system: 'linux' | 'darwin'
  /** In zig's form. */
  readonly triple: string
}

/** A static musl binary needs no C library at all, so one for each processor serves glibc and musl systems. */
export const targets: readonly Target[] = [
  { name: 'linux-x64', system: 'linux', triple: 'x86_64-linux-musl' },
  { name: 'linux-arm64', system: 'linux', triple: 'aarch64-linux-musl' },
  { name: 'darwin-x64', system: 'darwin', triple: 'x86_64-macos' },
  { name: 'darwin-arm64', system: 'darwin', triple: 'aarch64-macos' },
]

export interface Prebuild {
  readonly bytes: number
  readonly sha256: string
}

/** Written next to the binaries as `prebuilds.json`. */
export interface Manifest {
  /** {@link hashSources} at the time of the build. */
  readonly sources: string
  readonly files: Readonly<Record<string, Prebuild>>
}

export function binaryOf(prebuilds: string, target: Pick<Target, 'name'>): string {
  return path.join(prebuilds, target.name, 'ptyhost')
}

export const manifestOf = (prebuilds: string): string => path.join(prebuilds, 'prebuilds.json')

export function describe(file: string): Prebuild {
  const content = readFileSync(file)
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

/** Changes with every input of a binary except the compiler, whose version is pinned. */
export function hashSources(native: string): string {
  const sources = readdirSync(path.join(native, 'src')).sort()
  const hash = createHash('sha256')
  for (const file of ['Makefile', ...sources.map((name) => path.join('src', name))])
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(native, file)))
      .update('\0')
  return hash.digest('hex')
}

/** The reasons against publishing these prebuilds, one line each; empty when they are complete and up to date. */
export function problemsOf(prebuilds: string, native: string): readonly string[] {
  const file = manifestOf(prebuilds)
  if (!existsSync(file)) return ['there are none']
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  if (manifest.sources !== hashSources(native)) return ['the sources have changed since they were built']
  return targets.flatMap((target) => {
    const binary = binaryOf(prebuilds, target)
    const wanted = manifest.files[target.name]
    if (wanted === undefined || !existsSync(binary)) return [`${target.name} is missing`]
    return describe(binary).sha256 === wanted.sha256 ? [] : [`${target.name} is not the one that was built`]
  })
}
