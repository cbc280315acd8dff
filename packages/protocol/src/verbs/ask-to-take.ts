import * as z from 'zod'
import { observationFields, verdictFields } from '../call/observation.ts'
import { TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'
import { leaseReasonCharactersMax } from '../session/lease-limits.ts'
import { defineVerb } from './verb.ts'

export const askToTake = defineVerb({
  name: 'askToTake',
  tool: null,
  title: 'Ask a person to take over',
  summary:
    'Ask a person to take a terminal over, and wait until they have given it back. Called again it goes on waiting; agents have it as `terminal_ask_person {takeOver}`.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty needs', library: 'client.call("askToTake")' },
  input: z.strictObject({
    terminalId: TerminalId,
    reason: z.string().min(1).max(leaseReasonCharactersMax).describe('What the person is to do, in a sentence.'),
    waitTimeoutMs,
  }),
  output: z.object({
    outcome: z
      .enum(['returned', 'declined', 'exited', 'timeout'])
      .describe(
        '`returned`: a person has had it and given it back. `declined`: nobody will. `timeout`: they are still asked, or still have it.',
      ),
    cursor: observationFields.cursor,
    ...verdictFields,
  }),
  example: { terminalId: 'term-1', reason: 'Solve the merge conflict in build.ts, please.' },
  answer: {
    outcome: 'returned',
    cursor: 900,
    state: 'ready',
    kind: 'shell',
    confidence: 'certain',
    handedBack:
      'agentpty CLI (ada@pts/3) had this terminal for 2 min. Commands run: 1: "vim build.ts" (exit 0). What came meanwhile is from 318 on.',
  },
})
