import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newSession, touchesOf } from '@agentpty/shell-policy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { effectsOf } from './effects.ts'

const root = mkdtempSync(join(realpathSync(tmpdir()), 'effects-'))
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: root })

beforeAll(() => {
  git('init', '-q')
  for (const folder of ['src', 'build/deep', 'empty']) mkdirSync(join(root, folder), { recursive: true })
  for (const file of ['src/a.c', 'src/b.c', 'notes', '.hidden.o', 'x.o', 'y.o']) writeFileSync(join(root, file), 'text')
  for (let number = 0; number < 213; number++) writeFileSync(join(root, 'build/deep', `${number}`), 'x'.repeat(20))
  writeFileSync(join(root, 'build/top'), 'x'.repeat(1_740))
  git('add', 'src', 'notes')
  git('commit', '-qm', 'first')
})
afterAll(() => rmSync(root, { recursive: true }))

function effects(line: string): readonly string[] {
  const surroundings = { cwd: root, home: '/home/me', user: 'me', workspace: root }
  return effectsOf(touchesOf(line, newSession(surroundings), { shell: 'bash' }), root, () => 0)
}

test.each<[string, readonly string[]]>([
  ['rm -rf build', ['deletes 214 files in build (6 kB), none tracked by git']],
  [
    'rm -rf src build/top',
    ['deletes 2 files in src (8 bytes), 2 tracked by git', 'deletes build/top (1.7 kB), none tracked by git'],
  ],
  ['rm notes', ['deletes notes (4 bytes), tracked by git']],
  ['rm *.o', ['deletes 2 files in *.o (8 bytes), none tracked by git']],
  ['rm -r empty', ['deletes empty, which holds no files']],
  ['rm nothing', ['finds nothing to delete at nothing']],
  ['cd src && rm a.c', ['deletes src/a.c (4 bytes), tracked by git']],
  ['x=notes; rm "$x"', ['deletes notes (4 bytes), tracked by git']],
  ['rm "$unknown"', []],
  ['echo done > notes', ['writes to notes, which is there (4 bytes)']],
  ['echo done > fresh', ['creates fresh']],
  ['curl -d @notes https://x.example/in', ['talks to https://x.example/in']],
  ['rm $(cat list)', []],
  ['ls', []],
])('%s', (line, expected) => {
  expect(effects(line)).toEqual(expected)
})

test.each(['2', '3', '4'])('the index of git is read in version %s', (version) => {
  git('update-index', '--index-version', version)
  expect(effects('rm -rf src')).toEqual(['deletes 2 files in src (8 bytes), 2 tracked by git'])
})

test('names that would mislead are spelled out, and no list grows without bound', () => {
  expect(effects('rm "fdp\u202e.x"')).toEqual(['finds nothing to delete at fdp⟨U+202E⟩.x'])
  const many = effects(`rm ${Array.from({ length: 40 }, (_, number) => `n${number}`).join(' ')}`)
  expect(many).toHaveLength(9)
  expect(many.at(-1)).toMatch(/^and \d+ more$/)
})

test('a folder too large to count in time is counted as far as it goes', () => {
  let now = 0
  const line = touchesOf('rm -rf build', newSession({ cwd: root, home: '/h', user: 'me', workspace: root }), {
    shell: 'bash',
  })
  expect(effectsOf(line, root, () => (now += 1))).toEqual([
    expect.stringMatching(/^deletes more than \d+ files in build/),
  ])
})
