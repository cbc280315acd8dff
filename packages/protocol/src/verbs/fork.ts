import * as z from 'zod'
import { Worktree } from '../agents/kept-agents.ts'
import { TerminalId, TerminalName, waitTimeoutMs } from '../call/terminal-fields.ts'
import { spawn } from './spawn.ts'
import { defineVerb } from './verb.ts'

/** Of an agent that is started with a conversation that there is. */
export const goingOn = {
  conversation: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^-\s]\S*$/, 'a word that begins with no "-"')
    .optional()
    .describe('Its conversation, as its program calls it, where that is not known.'),
  instruction: spawn.input.shape.instruction,
  asksForAnswer: spawn.input.shape.asksForAnswer,
  name: spawn.input.shape.name,
  waitTimeoutMs,
}

export const fork = defineVerb({
  name: 'fork',
  tool: null,
  title: 'Fork agent',
  summary:
    'Start a second agent like another, with a new conversation that begins as that of the other stands; in the same folder, or in a new git worktree.',
  effect: 'changes',
  touches: ['terminalId'],
  opensTerminal: true,
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty agent fork', library: 'client.call("fork")' },
  input: z.strictObject({
    terminalId: TerminalId,
    worktree: z
      .union([z.boolean(), TerminalName])
      .optional()
      .describe(
        'Work in a new git worktree beside the repository, on a new branch from its last commit: by this name, or `true` for the next that is free.',
      ),
    ...goingOn,
  }),
  output: spawn.output.extend({
    conversation: z.string().nullable().describe('As its program calls it; null where that is not known yet.'),
    worktree: Worktree.nullable().describe('Where it works, if that was made for it.'),
  }),
  example: { terminalId: 'term-4', worktree: true, instruction: 'try it with a queue' },
  answer: {
    ...spawn.answer,
    conversation: '6b0c…',
    worktree: { path: '/tmp/shop-claude-1', branch: 'claude-1' },
  },
})
