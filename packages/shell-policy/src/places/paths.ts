import { existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PolicyState } from '../state/policy-state.ts'
import { isKnown } from '../walk/value.ts'

// Paths as text: this module does not read the file system.

/** Normalizes a path: no `.`, no `..`, no doubled slashes; `path` begins with a slash. */
export function normalPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return `/${parts.join('/')}`
}

export function isBelow(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' : path.startsWith(`${folder}/`)
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder)
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

const patternSign = /[*?[\]]/

/** Matches one part of a path against a pattern of the shell; linear in the product of their lengths, which are short. */
export function matchesPart(part: string, pattern: string): boolean {
  return patternSign.test(pattern) ? matchesStars(part, pattern, matchOne) : part === pattern
}

/** Returns how many characters of the pattern, from this one on, match a character; -1 for none. */
type Step = (character: string, pattern: string, from: number) => number

/** Matches a pattern: `*` means any characters, and `step` matches everything else. */
export function matchesStars(part: string, pattern: string, step: Step): boolean {
  let at = 0
  let from = 0
  let star = -1
  let resume = 0
  while (at < part.length) {
    const length = from < pattern.length && pattern[from] !== '*' ? step(part[at] ?? '', pattern, from) : -1
    if (length > 0) {
      at++
      from += length
    } else if (pattern[from] === '*') {
      star = from++
      resume = at
    } else if (star >= 0) {
      from = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}

/** Matches one character as a shell matches the parts of a path. */
function matchOne(character: string, pattern: string, from: number): number {
  if (pattern[from] === '?') return 1
  if (pattern[from] !== '[') return pattern[from] === character ? 1 : -1
  const end = pattern.indexOf(']', from + 2)
  // The content of a bracket is not read: it may match any character.
  return end < 0 ? -1 : end - from + 1
}

/** Whether a path, or a pattern of paths, may name this one. Both are absolute. */
export function mayName(pattern: string, path: string): boolean {
  if (pattern === path) return true
  if (!patternSign.test(pattern)) return false
  const patterns = pattern.split('/')
  const parts = path.split('/')
  return patterns.length === parts.length && parts.every((part, index) => matchesPart(part, patterns[index] ?? ''))
}

export function isPattern(path: string): boolean {
  return patternSign.test(path)
}

/** Absolute and normal, with known links followed; null when it cannot be known. */
export function resolvePath(path: string, { cwd, links }: PolicyState): string | null {
  if (!isKnown({ text: path })) return null
  // A short unknown name in a path may be any name.
  const text = path.replaceAll('\u0001', '*')
  if (!text.startsWith('/') && cwd.value === null) return null
  const full = normalPath(text.startsWith('/') ? text : `${cwd.value}/${text}`)
  for (const [link, target] of links)
    if (full === link || full.startsWith(`${link}/`)) return normalPath(`${target}${full.slice(link.length)}`)
  return full
}

// The folder that an agent in a terminal is there to work in: its git checkout, or the folder it was started in.

const levelsMax = 40

/** Returns the workspace of a folder. A home folder, or a folder above one, is no checkout even under git. */
export function workspaceOf(cwd: string, home: string): string {
  let folder = cwd
  for (let level = 0; level < levelsMax && !isAbove(folder, home); level++) {
    if (existsSync(join(folder, '.git'))) return folder
    folder = dirname(folder)
  }
  return cwd
}

function isAbove(folder: string, home: string): boolean {
  return folder === '/' || folder === home || home.startsWith(`${folder}/`)
}

// The state of a path now, for judging and for building sandboxes.

/** Returns the state of the path itself, not of a link's target; null where nothing exists or is visible. */
export function statOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    // Not there, or not to be seen: a program of this user meets the same.
    return null
  }
}

/** Returns the path with all links followed; null where nothing exists or is visible. */
export function realOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    // Not there, or not to be seen: a program of this user meets the same.
    return null
  }
}
