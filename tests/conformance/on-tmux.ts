/**
 * Runs all cases in one tmux: a window each, which shows the bytes and then sends two queries. Their answers prove that all was
 * drawn and every earlier reply has arrived.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Screen } from '@agentpty/engine/screen'
import { until } from '../harness/instance.ts'
import { type Case, caseSize, type Seen } from './case.ts'
import { drawScreen } from './draw.ts'
import { lastAnswers, lastQuestions } from './last-questions.ts'
import { sgrOfFirstCell } from './on-our-screen.ts'

/** Each window is a process and a PTY, and tmux accepts command lines of at most 16 kB. */
const windowsMax = 32
const facts = '#{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on} #{pane_title}'

export function tmuxVersion(): string {
  return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim()
}

/** The state of each case in tmux, in order. */
export async function playInTmux(cases: readonly Case[]): Promise<readonly Seen[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agentpty-conformance-'))
  writeFileSync(join(folder, 'tmux.conf'), 'set -g status off\nset -g default-terminal xterm-256color\n')
  // The program of each window: shows one case and records the replies.
  writeFileSync(join(folder, 'show'), 'stty raw -echo; cat "$1.bytes"; exec cat > "$1.replies"\n')
  const size = ['-x', String(caseSize.cols), '-y', String(caseSize.rows)]
  tmux(folder, ['new-session', '-d', '-s', 'cases', '-c', folder, ...size, 'exec cat'])
  try {
    const seen: Seen[] = []
    for (let at = 0; at < cases.length; at += windowsMax) {
      seen.push(...(await playSome(folder, cases.slice(at, at + windowsMax))))
    }
    return seen
  } finally {
    tmux(folder, ['kill-server'])
    rmSync(folder, { recursive: true, force: true })
  }
}

async function playSome(folder: string, cases: readonly Case[]): Promise<readonly Seen[]> {
  for (const [index, { bytes }] of cases.entries()) {
    writeFileSync(join(folder, `${index}.bytes`), Buffer.concat([Buffer.from(bytes), Buffer.from(lastQuestions)]))
    writeFileSync(join(folder, `${index}.replies`), '')
  }
  const inEach = (commands: (index: number, window: string) => readonly string[]): string =>
    tmux(
      folder,
      cases.flatMap((_, index) => commands(index, `=cases:=case-${index}`)),
    )
  inEach((index) => ['new-window', '-d', '-t', '=cases:', '-n', `case-${index}`, `sh show ${index}`, ';'])
  await until(() => cases.every((_, index) => lastAnswers.test(repliesOf(folder, index))))
  const replies = cases.map((_, index) => repliesOf(folder, index))
  const stuck = cases.filter((_, index) => !lastAnswers.test(replies[index] ?? ''))
  if (stuck.length > 0) throw new Error(`tmux never answered after: ${stuck[0]?.name}. Is a string left open there?`)
  const shown = inEach((_, window) => [
    ...['capture-pane', '-p', '-e', '-N', '-t', window, ';'],
    ...['display-message', '-p', '-t', window, facts, ';'],
  ]).split('\n')
  inEach((_, window) => ['kill-window', '-t', window, ';'])
  const lines = caseSize.rows + 1
  return Promise.all(replies.map((reply, index) => read(shown.slice(index * lines, (index + 1) * lines), reply)))
}

function tmux(folder: string, commands: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', HOME: folder, SHELL: '/bin/sh' }
  const own = ['-u', '-S', join(folder, 'socket'), '-f', join(folder, 'tmux.conf')]
  return execFileSync('tmux', [...own, ...commands], { env, cwd: folder, encoding: 'utf8' })
}

function repliesOf(folder: string, index: number): string {
  return readFileSync(join(folder, `${index}.replies`), 'utf8')
}

async function read(lines: readonly string[], replies: string): Promise<Seen> {
  const about = lines[caseSize.rows] ?? ''
  const [col = '', row = '', visible, alternate, ...title] = about.split(' ')
  const captured = await draw(lines.slice(0, caseSize.rows))
  return {
    // After the last column, the cursor waits to wrap.
    screen: drawScreen({ ...captured, cursor: { row: Number(row), col: Math.min(Number(col), caseSize.cols - 1) } }),
    replies: replies.replace(lastAnswers, ''),
    sgr: captured.sgr,
    title: title.join(' '),
    cursorVisible: visible === '1',
    alternateScreen: alternate === '1',
  }
}

/**
 * A capture is itself terminal output: colours, and the line drawing set as letters between SO and SI. The screen
 * that reads it is wider and taller, so that nothing wraps or scrolls.
 */
async function draw(rows: readonly string[]): Promise<{ readonly text: readonly string[]; readonly sgr: string }> {
  const screen = new Screen({ cols: 40, rows: 20, scrollbackRows: 0, offset: 0, version: '0', onReply: () => {} })
  await new Promise<void>((parsed) => screen.feed(Buffer.from(`\x1b)0${rows.join('\r\n')}`), parsed))
  const seen = { text: screen.snapshot().text.slice(0, caseSize.rows), sgr: sgrOfFirstCell(screen) }
  screen.dispose()
  return seen
}
