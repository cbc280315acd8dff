import * as z from 'zod'
import { observationFields, verdictFields } from '../call/observation.ts'
import { TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'
import { secretCharactersMax } from '../secrets.ts'
import { Lease } from '../session/lease.ts'
import { leaseMsDefault, leaseMsMax, leaseReasonCharactersMax } from '../session/lease-limits.ts'
import { defineVerb } from './verb.ts'

export const take = defineVerb({
  name: 'take',
  title: 'Take a terminal over',
  summary:
    'A person takes a terminal over: nothing of an agent reaches its program any more, until it is given back or its time is over. The holder can extend the time.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: null, callers: 'person' },
  journal: ({ reason }) => reason ?? null,
  words: { cli: 'agentpty take', library: 'client.call("take")' },
  input: z.strictObject({
    terminalId: TerminalId,
    forMs: z
      .number()
      .int()
      .min(1_000)
      .max(leaseMsMax)
      .default(leaseMsDefault)
      .describe('When it goes back by itself, unless it is taken again meanwhile.'),
    reason: z.string().max(leaseReasonCharactersMax).optional().describe('Shown to agents that want to type.'),
  }),
  output: z.object({
    lease: Lease,
    droppedBytes: z.number().int().describe('Input of others that the program had not read; it will not.'),
    removed: z.string().optional().describe('What an agent had typed and not entered, and was taken back.'),
    leftover: z
      .string()
      .optional()
      .describe('What an agent has typed and not entered, and could not be taken back: it is still in the line.'),
  }),
  example: { terminalId: 'term-1', reason: 'merging by hand' },
})

export const askToTake = defineVerb({
  name: 'askToTake',
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
        '`returned`: a person has had it and given it back. `declined`: a person refused. `timeout`: they are still asked, or still have it.',
      ),
    cursor: observationFields.cursor,
    ...verdictFields,
  }),
  example: { terminalId: 'term-1', reason: 'Solve the merge conflict in build.ts, please.' },
})

export const release = defineVerb({
  name: 'release',
  title: 'Give a terminal back',
  summary:
    'A person gives a terminal back that was taken over. Agents that wait for it continue, and learn what the person did.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'person' },
  journal: ({ mayType }) => mayType,
  words: { cli: 'agentpty release', library: 'client.call("release")' },
  input: z.strictObject({
    terminalId: TerminalId,
    mayType: z
      .enum(['both', 'agent'])
      .default('both')
      .describe('Who may type from now on. `agent`: persons only after they have taken it over.'),
    holder: z.string().optional().describe('Only if this one still has it.'),
  }),
  output: z.object({ lease: Lease }),
  example: { terminalId: 'term-1' },
})

export const pause = defineVerb({
  name: 'pause',
  title: 'Pause terminals',
  summary: 'Stop every process in terminals and in all that were opened from them, or let them go on.',
  effect: 'changes',
  touches: ['terminalIds'],
  safety: { types: null, starts: null, yields: 'lease', callers: 'agent' },
  journal: ({ paused }) => (paused ? 'paused' : 'goes on'),
  words: { cli: 'agentpty agent pause', library: 'client.call("pause")' },
  input: z.strictObject({
    terminalIds: z.array(TerminalId).min(1).max(1_000).describe('Terminals by their ids or names.'),
    paused: z.boolean().describe('`false`: they go on.'),
    below: z.boolean().optional().describe('`false`: not those opened from them.'),
    force: z.boolean().optional().describe('Also the terminal that the caller itself runs in.'),
  }),
  output: z.object({
    terminals: z.array(z.string()).describe('Ids of the terminals that are paused now, or go on.'),
    processes: z.number().int().describe('How many processes they have.'),
  }),
  example: { terminalIds: ['term-4'], paused: true },
})

export const secret = defineVerb({
  name: 'secret',
  title: 'Type a secret',
  summary:
    'A person types a secret: the program gets it, and models see it nowhere, not even where a program prints it. Not at a shell’s prompt.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: null, callers: 'outside' },
  journal: null,
  words: { cli: 'agentpty secret', library: 'client.call("secret")' },
  input: z.strictObject({
    terminalId: TerminalId,
    text: z
      .string()
      .min(1)
      .max(secretCharactersMax)
      .regex(/^[^\r\n\0]*$/, 'A secret is one line.'),
    newline: z.boolean().default(true).describe('Press Enter at the end.'),
  }),
  output: z.object({ sent: z.literal(true) }),
  example: { terminalId: 'term-1', text: 'correct horse' },
})
