import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import { settled } from '../testing/fake-daemon.ts'
import { commands, editor, forgetAll } from '../testing/vscode.ts'
import { keepOldNames } from './old-names.ts'

beforeEach(forgetAll)

function begin() {
  const did: string[] = []
  const status = async () => ({
    daemon: { version: '1.2' },
    sessions: { open: 3 },
    http: {
      url: 'http://127.0.0.1:17580',
      discovery: [
        { path: '/home/ada/.terminal-agent-port', kind: 'ours', detail: 'port 17580' },
        { path: '/home/ada/.copilot-terminal-bridge/server.json', kind: 'others', detail: 'port 9' },
      ],
    },
  })
  const open = { control: { status } } as unknown as WireClient
  const client = new Observable<WireClient | null>(open)
  const log = { info: (line: string) => did.push(line), show: () => did.push('log') }
  const link = {
    client,
    start: () => {
      did.push('start')
      client.set(open)
    },
    stop: async () => {
      did.push('stop')
      client.set(null)
    },
    retry: () => {},
  }
  keepOldNames({ link, log: log as never })
  const run = async (name: string) => {
    editor.commands.get(name)?.()
    await settled()
  }
  return { did, run, said: () => editor.asked.at(-1)?.text ?? '' }
}

test('its status shows the address of the server and the targets of its files', async () => {
  const { run, said } = begin()
  await run('terminalAgent.status')
  expect(said()).toBe(
    'agentpty 1.2 runs: 3 terminals, MCP at http://127.0.0.1:17580/mcp; /home/ada/.terminal-agent-port leads here; /home/ada/.copilot-terminal-bridge/server.json leads to another server (port 9).',
  )
})

test('it stops, starts and restarts, and the terminals keep running', async () => {
  const { run, did, said } = begin()
  await run('terminalAgent.stop')
  expect(said()).toContain('Its terminals go on')
  await run('terminal-agent.showStatus')
  expect(said()).toContain('does not run')
  await run('terminalAgent.start')
  expect(said()).toContain('agentpty 1.2 runs')
  await run('terminal-agent.restart')
  await run('terminalAgent.showLog')
  expect(did).toEqual(['stop', 'start', 'stop', 'start', 'log'])
})

test('a configured port that is not served is reported, with a restart button', async () => {
  editor.settings.set('terminalAgent.port', 17_600)
  const { run, did, said } = begin()
  await run('terminalAgent.status')
  expect(said()).toContain('terminalAgent.port is 17600')
  editor.asked.at(-1)?.answer('Restart')
  await settled()
  expect(did).toEqual(['stop', 'start'])
})

test('the names are left to terminal-agent while it is installed', () => {
  commands.registerCommand('terminalAgent.start', () => {})
  const { did } = begin()
  expect(did.join()).toContain('terminalAgent.start stays with another extension')
  expect(editor.commands.has('terminalAgent.stop')).toBe(true)
})
