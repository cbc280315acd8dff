/** Agents of the editor, and the support for former users of terminal-agent, in the editor that other tests have opened. */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ProtocolClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { type Instance, until } from '../harness/instance.ts'
import { type Editor, freePort } from './editor.ts'

const testTimeoutMs = 120_000

/** The files that terminal-agent leaves. */
const oldEntry = `{
  "mcpServers": {
    "terminal-agent": {
      "type": "http",
      "url": "http://127.0.0.1:17580/mcp",
      "tools": ["*"]
    }
  }
}
`

const fileOf = ({ user }: Instance) => join(user, '.copilot', 'mcp-config.json')

export function leaveOldEntry(instance: Instance): void {
  mkdirSync(join(instance.user, '.copilot'))
  writeFileSync(fileOf(instance), oldEntry)
}

/** The settings of a former user of terminal-agent. */
export async function oldSettings(): Promise<Readonly<Record<string, unknown>>> {
  return { 'terminalAgent.port': await freePort(), 'terminalAgent.autoRegister': true }
}

/** A client that knows only that file. */
async function copilot(instance: Instance): Promise<ProtocolClient> {
  const { mcpServers } = JSON.parse(readFileSync(fileOf(instance), 'utf8'))
  const { type, url, headers, tools } = mcpServers['terminal-agent']
  assert.deepEqual([type, tools], ['http', ['*']])
  const client = new ProtocolClient({ name: 'copilot-cli', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}

const textOf = (result: unknown) => JSON.parse((result as { content: [{ text: string }] }).content[0].text)

/** Runs before other tests, because the editor hides a question after a while. */
export function testsOfComing(instance: Instance, editorNow: () => Editor): void {
  test(
    'a server started by the window uses terminal-agent’s settings, and its files lead there',
    async () => {
      const { settings } = editorNow()
      const { daemon, http } = await instance.status()
      const port = String(settings['terminalAgent.port'])
      expect(new URL(http?.url ?? '').port).toBe(port)
      expect(readFileSync(join(instance.user, '.terminal-agent-port'), 'utf8')).toBe(port)
      const infoFile = join(instance.user, '.copilot-terminal-bridge', 'server.json')
      expect(JSON.parse(readFileSync(infoFile, 'utf8'))).toMatchObject({ port: Number(port), pid: daemon.pid })
    },
    testTimeoutMs,
  )

  test(
    'a former user of terminal-agent is asked once, Copilot’s file keeps working, and it can be undone',
    async () => {
      const editor = editorNow()
      const asked = editor.notification('by an entry without a token')
      await asked.waitFor()
      assert.equal(readFileSync(fileOf(instance), 'utf8'), oldEntry)
      await asked.getByText('Update the Entry').click()
      const done = editor.notification('leads to agentpty now')
      await done.waitFor()
      const client = await copilot(instance)
      const called = { name: 'terminal_create', arguments: { name: 'from-copilot', cwd: editor.folder } }
      const { terminalId } = textOf(await client.callTool(called))
      const text = 'echo by the old file: $((6*7))'
      const waited = { terminalId, text, waitForString: 'old file: 42' }
      expect(textOf(await client.callTool({ name: 'terminal_send', arguments: waited })).output).toContain('42')
      await editor.untilShown('old file: 42')
      await client.callTool({ name: 'terminal_close', arguments: { terminalId } })
      await client.close()
      await done.getByText('Undo').click()
      await until(async () => readFileSync(fileOf(instance), 'utf8') === oldEntry)
    },
    testTimeoutMs,
  )
}

export function testsWithAgents(instance: Instance, editorNow: () => Editor): void {
  test(
    'an agent of the editor uses its tools as an agent, after a person’s confirmation',
    async () => {
      const editor = editorNow()
      const { agent } = editor
      await until(async () => (await agent.tools()).some(({ name }) => name === 'agentpty_terminal_create'))
      const command = ['bash', '--norc']
      const create = agent.call('agentpty_terminal_create', { name: 'by-tool', command })
      await editor.confirm('Open a terminal “by-tool”?')
      expect(await create).toMatchObject({ terminalId: expect.stringMatching(/^term-/) })
      await editor.clickInTree('by-tool')
      await editor.untilShown('bash-5')
      const token = `ghp_${'a1B2'.repeat(9)}`
      const text = `echo ${token}; echo by the tool: $((6*7))`
      const send = agent.call('agentpty_terminal_send', { terminalId: 'by-tool', text })
      await editor.confirm('Type this into “by-tool”')
      const { output } = await send
      expect(output).toContain('by the tool: 42')
      // The person sees the text, and a model does not.
      expect(output).not.toContain(token)
      await editor.untilShown(token)
      const read = await agent.call('agentpty_terminal_read', { terminalId: 'by-tool' })
      expect(read['output']).toContain('by the tool: 42')
    },
    testTimeoutMs,
  )

  test(
    'a call that needs approval waits for a person, and a taken-over terminal is closed to the agent',
    async () => {
      const editor = editorNow()
      const { agent, page } = editor
      const text = 'rm -rf ../elsewhere'
      const send = agent.call('agentpty_terminal_send', { terminalId: 'by-tool', text })
      await editor.confirm('Type this into “by-tool”')
      await editor.needs('rm -rf ../elsewhere').click()
      const deny = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Deny' }).first()
      await deny.waitFor()
      // An answer in the first half second does not count, and is given again.
      await until(async () => {
        await deny.click({ timeout: 2_000 }).catch(() => undefined)
        return !(await deny.isVisible())
      })
      expect(await send).toMatchObject({ code: 'not_approved' })
      const person = await instance.rpc({}, { isPerson: true })
      await person.call('take', { terminalId: 'by-tool', forMs: 60_000 })
      const again = agent.call('agentpty_terminal_send', { terminalId: 'by-tool', text: 'echo mine' })
      await editor.confirm('Type this into “by-tool”')
      expect(await again).toMatchObject({ code: 'person_types' })
      await person.call('close', { terminalId: 'by-tool' })
    },
    testTimeoutMs,
  )

  test(
    'a terminal of the editor is observed with its commands and outcomes, and continued in agentpty at its folder',
    async () => {
      const editor = editorNow()
      const { page, agent } = editor
      await page.locator('.pane-header', { hasText: 'Other Terminals' }).click()
      await agent.command('workbench.action.terminal.new')
      // The newest one, because the editor may open one itself if its panel is empty.
      const row = page.locator('.monaco-list-row', { hasText: 'observed' }).last()
      await row.filter({ hasText: 'at its prompt' }).waitFor()
      // The previously active tab has more text.
      await until(async () => (await editor.shown()).trim() === '$')
      await page.locator('.terminal-wrapper.active').click()
      await page.keyboard.type('mkdir deeper; cd deeper\n')
      await row.filter({ hasText: '/deeper' }).waitFor()
      await page.keyboard.type('bash -c "exit 7"\n')
      await row.locator('.monaco-tl-twistie').click()
      const command = page.locator('.monaco-list-row', { hasText: 'exit 7' })
      await command.filter({ hasText: 'exit code 7' }).waitFor()
      const { terminals } = await agent.call('agentpty_editor_terminals', {})
      const observed = terminals as readonly { readonly id: string; readonly name: string }[]
      const ours = (await (await instance.rpc()).call('list', {})).terminals.map(({ name }) => name)
      expect(observed.filter(({ name }) => ours.includes(name))).toEqual([])
      const own = observed.at(-1)
      expect(own).toMatchObject({ state: 'ready', commands: [{ line: 'bash -c "exit 7"', exitCode: 7 }, {}] })
      const run = agent.call('agentpty_editor_terminal_run', { terminal: own?.id, command: 'pwd; echo fast; (exit 3)' })
      await editor.confirm('a terminal of the editor?')
      expect(await run).toMatchObject({ outcome: 'ended', exitCode: 3, output: expect.stringMatching(/deeper\nfast$/) })
      await page.locator('.terminal-wrapper.active').click()
      await page.keyboard.type('sleep 1000\n')
      await row.filter({ hasText: 'working' }).waitFor()
      const busy = agent.call('agentpty_editor_terminal_run', { terminal: own?.id, command: 'echo never' })
      await editor.confirm('a terminal of the editor?')
      expect(await busy).toMatchObject({ code: 'shell_busy' })
      await row.hover()
      await row.locator('[aria-label^="Continue in agentpty"]').click()
      await editor.notification('A new shell of agentpty is in').waitFor()
      const client = await instance.rpc()
      const listed = await client.call('list', {})
      const next = listed.terminals.at(-1)
      expect(next?.cwd).toBe(join(editor.folder, 'deeper'))
      await client.call('close', { terminalId: next?.terminalId ?? '' })
      await agent.command('workbench.action.terminal.killAll')
      await row.waitFor({ state: 'detached' })
    },
    testTimeoutMs,
  )

  test(
    'terminal-agent’s commands restart the server and show its address, and terminals keep running',
    async () => {
      const { agent } = editorNow()
      const client = await instance.rpc()
      const { pid } = await client.call('create', { name: 'stays', command: ['cat'] })
      const { daemon } = await instance.status()
      await agent.command('terminal-agent.restart')
      const { daemon: next, http } = await instance.status()
      expect(next.pid).not.toBe(daemon.pid)
      await agent.command('terminal-agent.showStatus')
      await editorNow().notification(`MCP at ${http?.url}/mcp`).waitFor()
      const { terminals } = await (await instance.rpc()).call('list', {})
      expect(terminals.find(({ name }) => name === 'stays')?.pid).toBe(pid)
      await (await instance.rpc()).call('close', { terminalId: 'stays' })
    },
    testTimeoutMs,
  )
}
