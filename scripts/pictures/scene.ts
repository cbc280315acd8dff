/** The terminals of the pictures: two agents and the work around them, and four requests to a person. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Instance, program, run, until } from '../../tests/harness/instance.ts'
import { createShop, gitVariables, removeShop, shop } from './shop.ts'

const size = '72x21'
const requestsOpen = 4

export interface Scene {
  readonly instance: Instance
  /** Runs `agentpty ARGS` in the folder of the shop, as a person. */
  readonly agentpty: (...args: readonly string[]) => Promise<string>
  close(): Promise<void>
}

type Environment = Readonly<Record<string, string>>
type CallTool = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Starts everything, and returns once each terminal shows its content and all requests are open. */
export async function openScene(): Promise<Scene> {
  createShop()
  const instance = new Instance({ AGENTPTY_HTTP_PORT: '0', ...gitVariables })
  const scene: Scene = {
    instance,
    agentpty: (...args) => runIn(instance, args),
    close: async () => {
      await instance.stop()
      removeShop()
    },
  }
  try {
    const callTool = await startAgents(scene)
    await startPrograms(scene)
    await fillTests(callTool)
    await askPerson(scene, callTool)
  } catch (error) {
    await scene.close()
    throw error
  }
  return scene
}

/** The agents: `api`, and below it `docs-writer`. Returns the tools of `api`. */
async function startAgents(scene: Scene): Promise<CallTool> {
  const { agentpty, instance } = scene
  const spawn = (name: string, task: string) => ['agent', 'spawn', '--name', name, `node agent.mjs ${name}`, task]
  await agentpty(...spawn('api', 'Fix the rounding of VAT'))
  const { terminals } = JSON.parse(await agentpty('ls', '--json'))
  const inside = instance.environmentIn(terminals[0].pid)
  await runIn(instance, spawn('docs-writer', 'Describe amounts and VAT'), inside)
  for (const name of ['api', 'docs-writer']) await agentpty('resize', name, size)
  return connectAgent(instance, inside)
}

async function startPrograms({ agentpty, instance }: Scene): Promise<void> {
  // Only colours of the palette: they are readable in dark and light.
  writeFileSync(join(instance.user, '.vimrc'), 'set t_Co=8 number\nsyntax on\n')
  const open = (name: string, ...command: readonly string[]) =>
    agentpty('new', '--name', name, '--size', size, '--wait', 'output', '--', ...command)
  await open('server', 'node', 'server.mjs')
  await open('editor', 'vim', 'money.mjs')
  await agentpty('wait', 'editor', '--for', 'text:withVat')
  await open('release', 'bash', 'release.sh')
  await open('deploy', 'bash', 'deploy.sh')
}

async function fillTests(callTool: CallTool): Promise<void> {
  await callTool('terminal_create', { name: 'tests', shell: 'bash', cwd: shop, cols: 84, rows: 26 })
  const lines = [
    'git log --oneline -4',
    'node test.mjs',
    "sed -i 's/Math.floor(cents \\*/Math.round(cents */' money.mjs",
    'node test.mjs',
    'git commit -am "Round VAT to a cent"',
  ]
  for (const text of lines) await callTool('terminal_send', { terminalId: 'tests', text })
}

/** Opens an approval and a request to take over; the programs ask for the other two. */
async function askPerson({ agentpty, instance }: Scene, callTool: CallTool): Promise<void> {
  const wide = { shell: 'bash', cwd: shop, cols: 72, rows: 21 }
  await callTool('terminal_create', { name: 'build', ...wide })
  await callTool('terminal_send', { terminalId: 'build', text: 'ls -C -w 60 build | head -8; du -sh build' })
  // Both wait for a person until the scene closes.
  callTool('terminal_send', { terminalId: 'build', text: 'rm -r build' }).catch(() => undefined)
  await callTool('terminal_create', { name: 'merge', ...wide })
  for (const branch of ['vat-16', 'vat-reduced'])
    await callTool('terminal_send', { terminalId: 'merge', text: `git merge --no-edit ${branch}` })
  const agent = await instance.rpc({}, { client: 'claude-code 2.1.4 (MCP)', cwd: shop })
  agent
    .call('askToTake', { terminalId: 'merge', reason: 'Resolve the conflict in money.mjs, please.' })
    .catch(() => undefined)
  await until(async () => JSON.parse(await agentpty('needs', '--json')).needs.length === requestsOpen)
}

async function connectAgent(instance: Instance, inside: Environment): Promise<CallTool> {
  const client = new Client({ name: 'claude-code', version: '2.1.4' })
  const env = { ...instance.env, ...inside }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env, cwd: shop }))
  return async (tool, args) => {
    const { isError, content } = await client.callTool({ name: tool, arguments: { ...args } })
    assert.ok(isError !== true, JSON.stringify(content))
    return content
  }
}

export async function runIn(instance: Instance, args: readonly string[], more: Environment = {}): Promise<string> {
  const { code, stdout, stderr } = await run(
    process.execPath,
    [program, ...args],
    { ...instance.env, ...more },
    { cwd: shop },
  )
  assert.equal(code, 0, `agentpty ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

export const pictureFile = (name: string) => join(import.meta.dirname, '../../docs/pictures', name)
