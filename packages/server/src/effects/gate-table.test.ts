import { expect, test } from 'vitest'
import { type GatePlaces, gateRows, gateTable } from './gate-table.ts'

const places: GatePlaces = {
  workspace: '/home/ada/proj',
  home: '/home/ada',
  searchPath: ['/usr/bin', '/home/ada/proj/node_modules/.bin', 'bin', '/tmp/tools', ''],
  temporary: '/tmp',
  cache: undefined,
  own: ['/home/ada/.agentpty'],
  isKept: false,
}

const wordsFor = (path: string, given = places) =>
  gateRows(given)
    .filter((row) => row.path === path)
    .map(({ word }) => word)

test.each<[string, readonly string[]]>([
  ['/home/ada/proj', ['free', 'whole']],
  ['/home/ada/proj/.git', ['whole']],
  ['/home/ada', ['elsewhere', 'whole']],
  ['/home/ada/.ssh', ['guarded']],
  ['/home/ada/.config/fish', ['guarded']],
  ['/home/ada/.config/fish/config.fish', ['elsewhere']],
  ['/home/ada/.config/fish/fishd.tmp.*', ['free']],
  ['/home/ada/.bashrc', ['guarded']],
  ['/home/ada/.gitconfig.lock', []],
  ['/home/ada/.claude', ['free']],
  ['/home/ada/.claude/settings.json', ['guarded']],
  ['/home/ada/.codex/auth.json', []],
  ['/var/spool/cron', ['guarded']],
  ['/home/ada/.cache', ['free']],
  ['/dev/pts', ['free']],
  ['/dev/shm', ['free']],
  ['/home/ada/.agentpty', ['guarded']],
  ['/usr/bin', ['guarded']],
  ['/home/ada/proj/node_modules/.bin', []],
  ['/tmp/tools', []],
  ['bin', []],
])('the rows of %s are %j', (path, words) => {
  expect(wordsFor(path)).toEqual(words)
})

test('what is deleted in the workspace is kept, but for its .git and for what tools can make again', () => {
  const kept = { ...places, isKept: true }
  expect(wordsFor('/home/ada/proj', kept)).toEqual(['kept', 'whole'])
  expect(wordsFor('/home/ada/proj/.git', kept)).toEqual(['free', 'whole'])
  expect(gateTable(kept)).toContain('unkept node_modules\n')
  expect(gateTable({ ...kept, workspace: '/home/ada' })).not.toContain('\nkept ')
})

test.each(['/home/ada', '/home', '/'])('a terminal opened in %s has no workspace', (workspace) => {
  const rows = gateRows({ ...places, workspace })
  expect(rows.filter(({ word, path }) => word === 'free' && path === workspace)).toEqual([])
})

test('every row is a line with an absolute path', () => {
  const table = gateTable({ ...places, own: ['/home/ada/a\nguarded /x', '/home/ada/b'] })
  for (const line of table.trimEnd().split('\n')) expect(line).toMatch(/^(free|elsewhere|guarded|whole) \//)
  expect(table).toContain('guarded /home/ada\n')
})

test('a folder whose name ends in a star is that folder alone, and a beginning of names stays one', () => {
  const table = gateTable({ ...places, workspace: '/home/ada/proj*', searchPath: ['/opt/*'] })
  expect(table).toContain('free /home/ada/proj*/\nelsewhere')
  expect(table).toContain('guarded /opt/*/\n')
  expect(table).toContain('free /home/ada/.bash_history*\n')
})
