import type { EntryWay } from '@agentpty/protocol/setup'
import { describe, expect, test } from 'vitest'
import { reachesAnother, registerAgain } from './client-checks.ts'

const stdio = (...command: readonly string[]): EntryWay => ({ kind: 'stdio', command, env: {}, cwd: null })
const http = (query: string): EntryWay => ({ kind: 'http', url: `http://127.0.0.1:17580/mcp${query}`, headers: {} })

describe('the command that registers anew', () => {
  test.each<[string, EntryWay | null, string]>([
    ['agentpty', stdio('agentpty', 'mcp'), ''],
    ['my-own-name', stdio('npx', '-y', 'agentpty', 'mcp'), ''],
    ['agentpty', stdio('agentpty', 'mcp', '--toolset', 'terminal,termtile'), '--toolset terminal,termtile '],
    ['termtile', stdio('agentpty', 'mcp', '--toolset', 'termtile'), '--toolset termtile '],
    ['agentpty', http(''), '--http '],
    ['tty-use', http('?toolset=tty-use'), '--http --toolset tty-use '],
    ['terminal-agent', http(''), '--http --toolset terminal-agent '],
    ['agentpty', null, ''],
  ])('of %s at %j has the flags %j', (name, way, flags) => {
    const entry = { name, isEnabled: true, way }
    expect(registerAgain({ client: 'codex' }, entry)).toBe(`agentpty init ${flags}--client codex --yes`)
  })
})

describe('the daemon that a client reaches', () => {
  const daemon = { pid: 7, version: '1', build: 'b', startedAt: 's', clients: 1 }
  const own = { stateFolder: '/s', socket: '/s/run/daemon.sock', daemon }
  const reached = { pid: 7, stateFolder: '/s', socket: '/s/run/daemon.sock' }

  test.each([
    ['ours', reached],
    ['not told, as by an older server', null],
  ])('is fine when it is %s', (_what, found) => expect(reachesAnother('Codex', found, own)).toBeNull())

  test('is wrong when it has another state folder, or is a second one of ours', () => {
    const other =
      'Codex would reach another daemon (state folder /t, pid 7, socket /s/run/daemon.sock); this one has /s, pid 7'
    expect(reachesAnother('Codex', { ...reached, stateFolder: '/t' }, own)).toBe(other)
    expect(reachesAnother('Codex', { ...reached, pid: 8 }, own)).toContain('pid 8')
  })
})
