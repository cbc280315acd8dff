import * as z from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { IfTaken, TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'
import { keysPerSendMax } from '../limits.ts'
import { defaultsTo, defineVerb, forModels } from './verb.ts'

const Key = z.string().min(1).max(40)

export const sendKeys = defineVerb({
  name: 'sendKeys',
  tool: 'terminal_send_keys',
  title: 'Press keys',
  summary: 'Press keys: ["ctrl+c"], ["escape", ":wq", "enter"], ["down", "alt+b"].',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: 'line', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty keys', library: 'session.press()' },
  models: { resultFields: ['output', 'cursor', 'state'] },
  input: z.strictObject({
    terminalId: TerminalId,
    keys: z
      .union([z.array(Key).min(1).max(keysPerSendMax), Key])
      .transform((keys) => (typeof keys === 'string' ? [keys] : keys))
      .describe(
        'Keys in order: `"enter"`, `"ctrl+c"`, `"alt+b"`, `"f10"`, `"shift+tab"`, or characters (`":wq"`). tmux names (`C-c`) work too.',
      ),
    ifTaken: forModels(IfTaken, null),
    waitFor: defaultsTo(WaitFor.optional(), '`"ready"`'),
    waitTimeoutMs,
  }),
  output: z.object({
    sent: z.literal(true).describe('Always `true`; an input that could not be sent is an error.'),
    keys: z.array(z.string()).describe('The keys that were pressed.'),
    sequences: z.array(z.string()).describe('The bytes each of them is in this terminal, as text.'),
    ...observationFields,
  }),
  example: { terminalId: 'term-1', keys: ['ctrl+c'] },
  answer: {
    sent: true,
    keys: ['ctrl+c'],
    sequences: ['\x03'],
    outcome: 'met',
    output: '^C\n$',
    cursor: 199,
    exitCode: 130,
    state: 'ready',
    kind: 'shell',
    confidence: 'certain',
  },
})
