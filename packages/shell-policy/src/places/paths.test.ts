import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realOf, statOf } from './paths.ts'

test('a link is itself by its state and leads on by its name, and nothing is nothing', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentpty-disk-')))
  const [file, link, broken, nothing] = ['file', 'link', 'broken', 'nothing'].map((name) => join(folder, name)) as [
    ...[string, string, string, string],
  ]
  writeFileSync(file, 'x')
  symlinkSync(file, link)
  symlinkSync(nothing, broken)
  expect([statOf(file)?.isFile(), statOf(link)?.isSymbolicLink(), statOf(broken)?.isSymbolicLink()]).toEqual([
    true,
    true,
    true,
  ])
  expect([statOf(nothing), statOf(join(file, 'below')), statOf('\0')]).toEqual([null, null, null])
  expect([realOf(link), realOf(broken), realOf(nothing)]).toEqual([file, null, null])
  rmSync(folder, { recursive: true })
})
