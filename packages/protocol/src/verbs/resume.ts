import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { fork, goingOn } from './fork.ts'
import { defineVerb } from './verb.ts'

export const resume = defineVerb({
  name: 'resume',
  tool: null,
  title: 'Resume agent',
  summary:
    'Start an agent that has ended again, with its conversation, in its folder and in a new terminal. Its old terminal may be gone.',
  effect: 'changes',
  touches: 'own',
  opensTerminal: true,
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent resume', library: 'client.call("resume")' },
  input: z.strictObject({
    agentId: TerminalId.describe('The agent, by the id or the name of the terminal that it had.'),
    ...goingOn,
  }),
  output: fork.output,
  example: { agentId: 'term-4' },
  answer: { ...fork.answer, worktree: null },
})
