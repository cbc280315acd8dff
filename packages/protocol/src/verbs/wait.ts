import * as z from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields, verdictFields } from '../call/observation.ts'
import { TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'
import { defaultsTo, defineVerb } from './verb.ts'

export const wait = defineVerb({
  name: 'wait',
  tool: 'terminal_wait',
  title: 'Wait for terminals',
  summary:
    'Wait on terminals until one (any:false: each) meets waitFor (default ready). since: a cursor each; default now.',
  effect: 'reads',
  touches: ['terminalIds'],
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty wait', library: 'session.wait()' },
  models: { resultFields: ['terminals'] },
  input: z.strictObject({
    terminalIds: z.array(TerminalId).min(1).max(64).describe('Terminals by their ids or names.'),
    since: z
      .array(z.number().int().min(0))
      .max(64)
      .optional()
      .describe(
        'From which offset on output counts, one for each of `terminalIds` in their order. Without it only what comes after the call.',
      ),
    waitFor: defaultsTo(WaitFor.optional(), '`"ready"`'),
    any: z.boolean().default(true).describe('`true`: until the first of them meets it. `false`: until each does.'),
    waitTimeoutMs,
  }),
  output: z.object({
    terminals: z
      .array(
        z.object({
          terminalId: TerminalId,
          /** Absent when another terminal came first. */
          outcome: observationFields.outcome,
          cursor: observationFields.cursor,
          ...verdictFields,
        }),
      )
      .describe('One entry per terminal, in the order asked for.'),
  }),
  example: { terminalIds: ['term-1', 'term-2'], waitFor: 'command' },
  answer: {
    terminals: [
      {
        terminalId: 'term-1',
        outcome: 'met',
        cursor: 238,
        exitCode: 0,
        state: 'ready',
        kind: 'shell',
        confidence: 'certain',
      },
      { terminalId: 'term-2', cursor: 72, state: 'busy', evidence: ['sleep waits for something else'] },
    ],
  },
})
