/** Whatever is in a tree, no operation on it reads, changes or removes anything outside of it. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTermError } from '@agentpty/protocol'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { filesBelow, readBytesInside } from '../folder-files.ts'
import { putInPlace } from '../run/put-in-place.ts'
import { type ArchiveEntry, ArchiveWriter, readArchive } from './archive.ts'
import { CopyBudget, copyContents } from './copy.ts'
import { Folder, isName } from './folder.ts'
import { packFolder, unpackBelow } from './pack.ts'
import { linkTargets, oddModes, oddNames, pictureOf, plant, type RandomEntry, secret } from './random-tree-fixture.ts'
import { removePath } from './remove.ts'
import { partsOf, resolveBelow } from './resolve.ts'
import { walkTree, withFolder } from './walk.ts'

const name = fc.constantFrom(...oddNames)
const mode = fc.constantFrom(...oddModes)

const leaf: fc.Arbitrary<RandomEntry> = fc.oneof(
  fc.record({ kind: fc.constant('file' as const), name, mode, text: fc.string() }),
  fc.record({ kind: fc.constant('link' as const), name, target: fc.constantFrom(...linkTargets) }),
  // By its whole path.
  fc.record({ kind: fc.constant('outside' as const), name, isFile: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('pipe' as const, 'socket' as const, 'device' as const), name }),
)

/** `isPlain`: without pipes, sockets and devices. */
function randomTree({ isPlain }: { readonly isPlain: boolean }): fc.Arbitrary<readonly RandomEntry[]> {
  const leaves = isPlain ? leaf.filter(({ kind }) => kind === 'file' || kind === 'link' || kind === 'outside') : leaf
  const { entries } = fc.letrec<{ entries: readonly RandomEntry[]; entry: RandomEntry }>((tie) => ({
    entries: fc.array(tie('entry'), { maxLength: 5 }),
    entry: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaves,
      fc.record({ kind: fc.constant('folder' as const), name, mode, entries: tie('entries') }),
    ),
  }))
  return entries
}

const runs = { numRuns: 25 }

interface Planted {
  readonly root: string
  readonly inside: string
  readonly outside: string
}

/** Plants the tree, uses it, and holds that everything outside looks as before. Errors that name the next move are an answer, too. */
async function untouched(entries: readonly RandomEntry[], use: (planted: Planted) => unknown): Promise<void> {
  const planted = plant(entries)
  try {
    const before = pictureOf(planted.outside)
    try {
      await use(planted)
    } catch (error) {
      if (!isTermError(error)) throw error
    }
    expect(pictureOf(planted.outside)).toEqual(before)
  } finally {
    rmSync(planted.root, { recursive: true, force: true })
  }
}

const holds = (isPlain: boolean, use: (planted: Planted) => unknown) =>
  fc.assert(
    fc.asyncProperty(randomTree({ isPlain }), (entries) => untouched(entries, use)),
    runs,
  )

describe('random trees of links, odd names, pipes, sockets and devices', () => {
  test('are removed whole, and nothing else is', async () => {
    await holds(false, async ({ root, inside }) => {
      await removePath(inside)
      expect(readdirSync(root)).toEqual(['outside'])
    })
  })

  test('are walked without going through a link', async () => {
    await holds(false, ({ inside }) =>
      withFolder(inside, (top) =>
        walkTree(top, ({ name, parent, stat }) => {
          expect(stat.isFile() ? readFrom(parent, name) : '').not.toBe(secret)
          return true
        }),
      ),
    )
  })

  test('give no file of outside to a reader', async () => {
    await holds(false, ({ inside }) => {
      for (const path of filesBelow(inside, '.'))
        expect(readBytesInside(inside, path, 1_000)?.toString()).not.toBe(secret)
    })
  })

  test('give no file of outside to a copy, which has no set-ID bit', async () => {
    await holds(false, ({ root, inside }) => {
      mkdirSync(join(root, 'copy'))
      const from = Folder.open(inside)
      const to = Folder.open(join(root, 'copy'))
      try {
        copyContents({ from, to, budget: new CopyBudget(), shown: inside })
      } finally {
        from.close()
        to.close()
        for (const line of pictureOf(join(root, 'copy'))) {
          expect(line).not.toContain(secret)
          expect(line).not.toMatch(/^\S+ 10[2-7]\d\d\d /)
        }
      }
    })
  })

  test('that are copied over each other write nothing outside', async () => {
    await fc.assert(
      fc.asyncProperty(randomTree({ isPlain: true }), randomTree({ isPlain: true }), (first, second) =>
        untouched(first, ({ inside }) => {
          const other = plant(second)
          const before = pictureOf(other.outside)
          try {
            const from = Folder.open(other.inside)
            const to = Folder.open(inside)
            try {
              copyContents({ from, to, budget: new CopyBudget(), shown: inside })
            } finally {
              from.close()
              to.close()
            }
          } finally {
            expect(pictureOf(other.outside)).toEqual(before)
            rmSync(other.root, { recursive: true, force: true })
          }
        }),
      ),
      runs,
    )
  })

  test('are packed without a file of outside, and unpacked over each other they write nothing outside', async () => {
    await fc.assert(
      fc.asyncProperty(randomTree({ isPlain: true }), randomTree({ isPlain: true }), (first, second) =>
        untouched(first, ({ inside }) => {
          const archive = packFolder(inside, '.') ?? Buffer.alloc(0)
          expect(archive.includes(secret)).toBe(false)
          const other = plant(second)
          const before = pictureOf(other.outside)
          try {
            unpackBelow(readArchive(archive).entries, [], [], other.inside)
          } finally {
            expect(pictureOf(other.outside)).toEqual(before)
            rmSync(other.root, { recursive: true, force: true })
          }
        }),
      ),
      runs,
    )
  })

  test('are put in place by a Dockerfile without writing outside', async () => {
    const step = { kind: 'copy', line: 1, owner: null, mode: '4755' } as const
    await fc.assert(
      fc.asyncProperty(
        randomTree({ isPlain: true }),
        fc.constantFrom('a', 'b', 'a/out', '-rf', 'out/a'),
        (entries, path) =>
          untouched(entries, async ({ root, inside }) => {
            mkdirSync(join(root, 'layers'))
            const text = { kind: 'text', name: 'pwned', content: 'from the task' } as const
            const steps = [
              { ...step, source: { kind: 'path', path: '.' } as const, target: '/app', isInto: false },
              { ...step, source: { kind: 'path', path } as const, target: `/app/${path}`, isInto: true },
              { ...step, source: text, target: `/app/${path}`, isInto: true },
              { kind: 'workdir', line: 1, path: `/app/${path}/made` } as const,
            ]
            await putInPlace(steps, { context: inside, workdir: '/app', folder: join(root, 'layers') })
            expect(pictureOf(join(root, 'layers')).join()).not.toContain(secret)
          }),
      ),
      runs,
    )
  })

  const readFrom = (parent: Folder, name: Buffer): string => {
    try {
      return readFileSync(parent.openFile(name)).toString()
    } catch {
      return ''
    }
  }
})

test('the system’s tar unpacks a packed tree as it was, but for owners, times and set-ID bits', () => {
  fc.assert(
    fc.property(randomTree({ isPlain: true }), (entries) => {
      const { root, inside } = plant(entries)
      try {
        const archive = packFolder(inside, '.') ?? Buffer.alloc(0)
        mkdirSync(join(root, 'unpacked'))
        execFileSync('tar', ['-x', '-p', '-f', '-', '-C', join(root, 'unpacked')], { input: archive })
        const withoutPlace = (place: string) =>
          pictureOf(join(root, place)).map((line) =>
            line
              .replace(join(root, place), '')
              .replace(/ (\d+)([0-7])(\d{3}) /, (_all, kind, _bits, rights) => ` ${kind}${rights} `),
          )
        const below = (lines: readonly string[]) => lines.filter((line) => line.startsWith('/'))
        expect(below(withoutPlace('unpacked'))).toEqual(below(withoutPlace('inside')))
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    }),
    { numRuns: 25 },
  )
})

let root: string
beforeEach(() => {
  root = plant([]).root
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a path that is longer than the system takes in one call is removed', async () => {
  // Each level is made in the one before, as a program does that changes its folder.
  let at = Folder.open(join(root, 'inside'))
  const name = Buffer.from('d'.repeat(200))
  for (let level = 0; level < 3_000; level++) {
    const next = at.makeFolder(name, 0o755)
    at.close()
    at = next
  }
  at.close()
  await removePath(join(root, 'inside'))
  expect(existsSync(join(root, 'inside'))).toBe(false)
})

test('removing a missing file succeeds', async () => {
  await removePath(join(root, 'nowhere/nothing'))
  await removePath(join(root, 'outside/secret/below'))
})

test('a chain of folders deeper than a task may have is refused, and not followed for ever', () => {
  mkdirSync(join(root, 'inside', 'x/'.repeat(100)), { recursive: true })
  expect(() => packFolder(join(root, 'inside'), '.')).toThrow(/folders in each other/)
})

test.each(['..', '.', '', 'a/b', 'a\0'])('%j is no name of an entry', (name) => {
  expect(isName(Buffer.from(name))).toBe(false)
  const folder = Folder.open(root)
  expect(() => folder.stat(Buffer.from(name))).toThrow(RangeError)
  folder.close()
})

test('a link is opened neither as a file nor as a folder, also where it has just taken the place of one', () => {
  const folder = Folder.open(join(root, 'inside'))
  const link = Buffer.from('link')
  folder.makeLink(link, Buffer.from('../outside/secret'))
  expect(() => folder.openFile(link)).toThrow(/ELOOP/)
  expect(() => folder.createFile(link, 0o644)).toThrow(/EEXIST/)
  expect(() => folder.chmod(link, 0o777)).toThrow(/EOPNOTSUPP|ENOTSUP/)
  folder.unlink(link)
  folder.makeLink(link, Buffer.from('../outside'))
  expect(() => folder.folder(link)).toThrow(/ENOTDIR|ELOOP/)
  expect(() => folder.makeFolder(link, 0o755)).toThrow(/EEXIST/)
  folder.close()
})

test.each<[string, string]>([
  ['an absolute path', '/etc/passwd'],
  ['a way up', '../outside/secret'],
  ['a way up through a folder', 'a/../../outside/secret'],
])('%s is refused', (_name, path) => {
  expect(() => resolveBelow(join(root, 'inside'), path, () => 'found')).toThrow(/path/)
})

describe('an archive of the hostile side', () => {
  const entry = (path: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
    kind: 'file',
    path: partsOf(Buffer.from(path)),
    mode: 0o644,
    content: Buffer.from('x'),
    target: Buffer.alloc(0),
    ...more,
  })

  test('makes no link, no device, and no file behind a link that is there', () => {
    const folder = join(root, 'inside')
    const made = unpackBelow(
      [
        entry('link', { kind: 'link', target: Buffer.from('/etc') }),
        entry('link/passwd'),
        entry('device', { kind: 'other' }),
        entry('plain'),
        entry('plain/below'),
      ],
      [],
      [],
      folder,
    )
    expect(made).toEqual({ written: 2, notMade: 2, failed: 1 })
    expect(readdirSync(folder).toSorted()).toEqual(['link', 'plain'])
    expect(readdirSync(join(folder, 'link'))).toEqual(['passwd'])
  })

  test('with ".." in a name says so, and gives no entry', () => {
    const writer = new ArchiveWriter()
    writer.file(Buffer.from('a/../../b'), 0o644, Buffer.from('x'))
    expect(readArchive(writer.end())).toEqual({ entries: [], refused: 1 })
  })

  test('leaves what is there, and no set-ID bit', () => {
    const folder = join(root, 'inside')
    writeFileSync(join(folder, 'a'), 'ours')
    unpackBelow([entry('a'), entry('b', { mode: 0o7777 & 0o777 })], [], [], folder)
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('ours')
  })
})
