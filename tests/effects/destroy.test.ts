/** Ways to destroy a file, by programs that no table knows: a gate that asks keeps the file when each question is denied. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pty } from '@agentpty/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { open, openHost, type TestHost } from '../harness/host-fixture.ts'
import { GatedTerminal } from './gated-terminal.ts'

const lines = readFileSync(new URL('more-destructive-lines.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

interface Place {
  readonly home: string
  readonly workspace: string
}

/** Tests run beside each other, so each removes its own. */
async function inPlace(use: (place: Place) => unknown): Promise<void> {
  const place = makePlace()
  try {
    await use(place)
  } finally {
    rmSync(place.home, { recursive: true, force: true })
  }
}

function makePlace(): Place {
  const home = mkdtempSync(join(tmpdir(), 'agentpty-destroy-'))
  const workspace = join(home, 'proj')
  mkdirSync(workspace)
  mkdirSync(join(home, 'keep'))
  writeFileSync(join(home, 'keep/a.txt'), 'kept\n')
  execFileSync('git', ['init', '-q', join(home, 'keep')])
  return { home, workspace }
}

/** Its mode and contents; null when it has gone. */
function kept(home: string) {
  const path = join(home, 'keep/a.txt')
  const seen = lstatSync(path, { throwIfNoEntry: false })
  if (seen === undefined) return null
  // Some lines make it a link to a file of the system, or a further name of one, whose mode must stay.
  if (seen.isFile() && seen.nlink === 1) chmodSync(path, 0o600)
  return [seen.mode & 0o777, seen.isFile() ? readFileSync(path, 'utf8') : 'no file']
}

/** Denies all that is asked. */
class Denying extends GatedTerminal {
  constructor(pty: Pty) {
    super({
      ...pty,
      attach: (from, events) =>
        pty.attach(from, {
          ...events,
          gate: (message) => {
            events.gate?.(message)
            if (message.kind === 'asks' && message.answer === 'open')
              pty.answerGate({ kind: 'answer', id: message.id, answer: 'deny' })
          },
        }),
    })
  }
}

/** xargs names file after file, tmux sets the mode of its socket first, and after a denial a further name of a file is deleted. */
const questionsMax = (line: string): number => (/xargs|tmux|--link|ln -f/.test(line) ? 3 : 1)

describe('a file is kept, with one question, from', () => {
  test.concurrent.each(lines)('%s', (line) =>
    inPlace(async ({ home, workspace }) => {
      const free = ['/dev', tmpdir(), workspace].map((path) => `free ${path}\n`).join('')
      const { pty } = await open(host.link, ['/bin/bash', '-c', line], {
        env: { ...process.env, HOME: home, PWD: workspace } as Record<string, string>,
        cwd: workspace,
        gate: `asks 600000\n${free}elsewhere ${home}\n`,
      })
      const terminal = new Denying(pty)
      await terminal.recorder.exit
      await pty.close({ graceMs: 100, leaveDaemons: false })
      expect(kept(home)).toEqual([0o644, 'kept\n'])
      expect(terminal.questions.length).toBeGreaterThan(0)
      expect(terminal.questions.length).toBeLessThanOrEqual(questionsMax(line))
    }),
  )
})

describe('without a gate it is lost by', () => {
  test.concurrent.each(lines)('%s', (line) =>
    inPlace(async ({ home, workspace }) => {
      const env = { ...process.env, HOME: home, PWD: workspace }
      const shell = spawn('/bin/bash', ['-c', line], { env, cwd: workspace, stdio: 'ignore' })
      await once(shell, 'exit')
      expect(kept(home)).not.toEqual([0o644, 'kept\n'])
    }),
  )
})
