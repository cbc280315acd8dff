import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { signals } from '../session/signals.ts'
import { defineVerb } from './verb.ts'

export const signal = defineVerb({
  name: 'signal',
  tool: null,
  title: 'Send signal',
  summary: 'Send a signal to the program in the foreground. To interrupt it as a person would, press ctrl+c.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: 'lease', callers: 'agent' },
  journal: ({ signal: name }) => name,
  words: { cli: 'agentpty keys', library: 'client.call("signal")' },
  input: z.strictObject({ terminalId: TerminalId, signal: z.enum(signals).describe('By its name.') }),
  output: z.object({ signalled: z.literal(true).describe('Always `true`; a signal that reached nobody is an error.') }),
  example: { terminalId: 'term-1', signal: 'SIGTERM' },
  answer: { signalled: true },
})
