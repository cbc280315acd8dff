import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isAgentClient, registrableClients, rosterRow, suggestedCommands } from './roster.ts'

test('the agents that are suggested are named in the order of their positions', () => {
  assert.deepEqual(suggestedCommands, [
    ...['claude', 'codex', 'gemini', 'opencode', 'copilot', 'cursor-agent', 'aider', 'pi'],
  ])
})

test('every client that can be registered is in the table, in its order', () => {
  assert.deepEqual(registrableClients, [
    ...['claude', 'codex', 'gemini', 'copilot', 'opencode', 'qwen'],
    ...['cursor', 'windsurf', 'vscode', 'claude-desktop', 'zed', 'goose'],
  ])
  assert.deepEqual(rosterRow('cursor').commands, ['cursor', 'cursor-agent'])
})

test.each([
  ['claude-code', true],
  ['opencode-1.2', true],
  ['qwen-cli-mcp-client', true],
  ['claude-ai', false],
  ['my-opencode', false],
])('an MCP client that calls itself %s is a model’s: %s', (name, want) => {
  assert.equal(isAgentClient(name), want)
})
