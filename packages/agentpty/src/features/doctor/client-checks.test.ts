import { describe, expect, test } from 'vitest'
import type { EntryWay } from '../../contracts/setup/registered-entry.ts'
import { registerAgain } from './client-checks.ts'

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
