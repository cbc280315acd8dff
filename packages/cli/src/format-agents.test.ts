import type { AgentProgram } from '@agentpty/protocol/setup'
import { expect, test } from 'vitest'
import { formatAgents } from './format-agents.ts'

const agent = (more: Partial<AgentProgram>): AgentProgram => ({
  name: 'claude',
  title: 'Claude Code',
  description: null,
  command: ['claude'],
  path: null,
  version: null,
  models: [],
  defaultModel: null,
  permissions: 'ask',
  origin: null,
  problem: null,
  ...more,
})

test('installed and configured agents are listed, with their problems below', () => {
  const text = formatAgents([
    agent({ path: '/bin/claude', version: '2.1.0' }),
    agent({ name: 'gemini', title: 'Gemini CLI' }),
    agent({
      name: 'reviewer',
      description: 'Looks for\ndefects',
      origin: '/c/config.yaml:2',
      permissions: 'edits',
      models: ['o3', 'o4'],
      defaultModel: 'o4',
      problem: { what: 'command not found: codx', advice: 'Install it.' },
    }),
  ])
  expect(text).toBe(`NAME      VERSION  PERMISSIONS  MODELS   PROGRAM      SET IN            WHAT
claude    2.1.0    ask          any      /bin/claude  -                 Claude Code
reviewer  -        edits        o4*, o3  not found    /c/config.yaml:2  Looks for defects

reviewer: command not found: codx
  → Install it.

Known and not installed here: gemini

Start one: agentpty agent spawn NAME "what it shall do"   Any other command is an agent, too.
`)
})

test('a machine without agents gets a message', () => {
  expect(formatAgents([agent({})])).toBe(`No agent that is known is installed here.

Known and not installed here: claude

Start one: agentpty agent spawn NAME "what it shall do"   Any other command is an agent, too.
`)
})
