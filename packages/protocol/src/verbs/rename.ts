import * as z from 'zod'
import { TerminalId, TerminalName } from '../call/terminal-fields.ts'
import { defineVerb } from './verb.ts'

export const rename = defineVerb({
  name: 'rename',
  tool: null,
  title: 'Rename terminal',
  summary: 'Give a terminal another name; its id stays.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: ({ name }) => name,
  words: { cli: 'agentpty rename', library: 'session.rename()' },
  input: z.strictObject({ terminalId: TerminalId, name: TerminalName.describe('The name it shall have.') }),
  output: z.object({ terminalId: TerminalId, name: z.string().describe('The name it was given.') }),
  example: { terminalId: 'term-1', name: 'server' },
  answer: { terminalId: 'term-1', name: 'server' },
})
