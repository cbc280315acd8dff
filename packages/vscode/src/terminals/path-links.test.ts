import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type PathLink, pathsIn, providePathLinks } from './path-links.ts'

const home = mkdtempSync(join(tmpdir(), 'agentpty-links-'))
mkdirSync(join(home, 'app', 'src'), { recursive: true })
mkdirSync(join(home, 'window'))
writeFileSync(join(home, 'app', 'src', 'a.ts'), '')
writeFileSync(join(home, 'window', 'b.ts'), '')
afterAll(() => rmSync(home, { recursive: true }))

test.each([
  ['src/a.ts:3:5 - error TS2322', [['src/a.ts', 3, 5]]],
  ['src/a.ts(3,5): error TS2322', [['src/a.ts', 3, 5]]],
  ['  at run (./lib/run.js:10:3)', [['./lib/run.js', 10, 3]]],
  ['File "test/x.py", line 7, in f', [['test/x.py', 7, null]]],
  ['main.c:12: warning: unused', [['main.c', 12, null]]],
  ['wrote ../out/b.txt.', [['../out/b.txt', null, null]]],
  ['/usr/include/a.h:3 and ~/b.c and https://example.com/a.ts:3', []],
  ['nothing here, or 3/4 of it', [['3/4', null, null]]],
] as const)('%s', (line, want) => {
  expect(pathsIn(line).map(({ path, line: row, column }) => [path, row, column])).toEqual(want)
})

/** The linked text and the file behind it. */
async function linksOf(line: string, folders = [join(home, 'app'), join(home, 'window')]) {
  const provider = providePathLinks(() => folders)
  const links = await provider.provideTerminalLinks({ line, terminal: {} as never }, {} as never)
  return (links as PathLink[]).map(({ startIndex, length, file, line: row, column }) => ({
    text: line.slice(startIndex, startIndex + length),
    file: file.slice(home.length),
    at: [row, column],
  }))
}

test('a path is linked from the folder of its terminal, then from those of the window, if the file exists', async () => {
  expect(await linksOf('error in src/a.ts:3:5, b.ts:1 and src/c.ts:1')).toEqual([
    { text: 'src/a.ts:3:5', file: '/app/src/a.ts', at: [2, 4] },
    { text: 'b.ts:1', file: '/window/b.ts', at: [0, 0] },
  ])
})

test('the paths of a change in Git lead to their files, and folders are not linked', async () => {
  expect(await linksOf('+++ b/src/a.ts in ./src')).toEqual([{ text: 'b/src/a.ts', file: '/app/src/a.ts', at: [0, 0] }])
})

test('a terminal that is not agentpty’s gets no links', async () => {
  expect(await linksOf('src/a.ts:3:5', [])).toEqual([])
})
