import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isAgentClient, knownAdapters, registrableClients, suggestedCommands } from './roster.ts'

test('the agents that are suggested are named in the order of their positions', () => {
  assert.deepEqual(suggestedCommands, [
    ...['claude', 'codex', 'gemini', 'opencode', 'copilot', 'cursor-agent', 'aider', 'pi'],
  ])
})

test('each agent has a name and commands of its own', () => {
  const names = [...registrableClients, ...knownAdapters.map(({ name }) => name).filter((name) => !isRegistrable(name))]
  assert.equal(new Set(names).size, names.length)
  const programs = knownAdapters.map(({ command: [program] }) => program)
  assert.equal(new Set(programs).size, programs.length)
})

const isRegistrable = (name: string) => registrableClients.some((one) => one === name)

test.each([
  ['claude-code', true],
  ['opencode-1.2', true],
  ['qwen-cli-mcp-client', true],
  ['claude-ai', false],
  ['my-opencode', false],
])('an MCP client that calls itself %s is a model’s: %s', (name, want) => {
  assert.equal(isAgentClient(name), want)
})
