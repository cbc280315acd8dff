/** The same bytes through tmux must give the same rows: two emulators that agree are seldom both wrong. */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Golden, loadGolden, replay } from '../golden/replay.ts'
import { scenarios } from '../golden/scenarios.ts'
import { until } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

const folder = scratchFolder()
let servers = 0

beforeAll(() => {
  writeFileSync(join(folder, 'tmux.conf'), 'set -g status off\nset -g default-terminal xterm-256color\n')
})

function tmux(server: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env['PATH'] ?? '',
    LC_ALL: 'C.UTF-8',
    TMUX_TMPDIR: folder,
    HOME: folder,
    SHELL: '/bin/sh',
  }
  return execFileSync('tmux', ['-u', '-L', server, '-f', join(folder, 'tmux.conf'), ...args], { env, encoding: 'utf8' })
}

/** Comes after the bytes; once it is seen, all of them were drawn. */
const end = 'everything was shown'

async function rowsInTmux({ bytes, cols, rows }: Golden): Promise<readonly string[]> {
  const file = join(folder, 'output.raw')
  writeFileSync(file, Buffer.concat([bytes, Buffer.from(`\x1b]2;${end}\x1b\\`)]))
  const show = `stty raw -echo; cat ${file}; exec sleep 1000`
  // One server each: kill-server answers before the server has ended, and the next client would still reach it.
  const server = `oracle-${servers++}`
  tmux(server, 'new-session', '-d', '-x', String(cols), '-y', String(rows), show)
  try {
    await until(() => tmux(server, 'display-message', '-p', '#{pane_title}').trim() === end)
    const text = tmux(server, 'capture-pane', '-p', '-N').split('\n').slice(0, rows)
    return text.map((row) => row.trimEnd())
  } finally {
    tmux(server, 'kill-server')
  }
}

/** The rows where tmux differs, and why it is not followed. */
const differences: Readonly<Record<string, readonly { readonly rows: readonly number[]; readonly why: string }[]>> = {
  'dialog-menu': [
    {
      rows: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
      why: 'capture-pane gives the line drawing set (ESC ( 0) as the letters that stand for its characters',
    },
  ],
}

test.each(scenarios.map(({ name }) => name))('%s', async (name) => {
  const golden = loadGolden(name)
  const known = new Set((differences[name] ?? []).flatMap(({ rows }) => rows))
  const ours = (await replay(golden, [golden.bytes])).text
  const theirs = await rowsInTmux(golden)
  const compared = (rows: readonly string[]) => rows.filter((_, row) => !known.has(row))
  expect(compared(ours)).toEqual(compared(theirs))
  // A row that agrees again must be removed from the list.
  for (const row of known) expect(ours[row]).not.toBe(theirs[row])
})
