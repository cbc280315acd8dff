import * as z from 'zod'
import { observationFields } from '../call/observation.ts'
import {
  FolderName,
  IfTaken,
  TerminalId,
  typedText,
  WaitFor,
  waitTimeoutMs,
  withoutNul,
} from '../call/terminal-fields.ts'
import { commandCharactersMax, keysPerSendMax, sendBytesMax } from '../limits.ts'
import { needIdCharactersMax } from '../need-limits.ts'
import { defaultsTo, defineVerb, forModels } from './verb.ts'

/** Described once; in other verbs the field's name and default are enough. */
const waitForHelp =
  '"ready" (your turn; {ready:"high"}: at least so sure) | "output" | "command" (shell command done) | "exit" | "none" | {text} | {pattern} | {quietMs} | {stableMs} | array: any of them. Default ready'

export const send = defineVerb({
  name: 'send',
  tool: 'terminal_send',
  title: 'Type text',
  summary:
    'Type text and Enter (newline:false: no Enter), wait until it is your turn again, return what was printed. For shells, REPLs, debuggers, prompts, passwords. Text is literal: control keys need terminal_send_keys.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: 'line', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty send', library: 'session.send()' },
  models: { resultFields: ['output', 'cursor', 'outcome', 'state', 'kind', 'exitCode'] },
  input: z.strictObject({
    terminalId: TerminalId,
    text: typedText(sendBytesMax).describe(
      'Taken literally. Several lines are pasted as one where the program asks for bracketed paste.',
    ),
    newline: z.boolean().default(true).describe('Press Enter at the end.'),
    instruct: forModels(
      z
        .boolean()
        .default(false)
        .describe(
          'The text is an instruction for an agent: typed only once it is idle. While a dialog is up the call fails with `needs_answer` and the question, and while other text stands in its input box with `line_not_empty`; nothing is typed then. It has been taken when the call returns: else the error is `not_submitted`.',
        ),
      'text instructs an agent: typed once it is idle, never into dialogs',
    ),
    ifTaken: forModels(IfTaken, null),
    ifAsked: forModels(
      z
        .string()
        .min(1)
        .max(needIdCharactersMax)
        .optional()
        .describe('A `needId` of `needs`: typed only while the program still asks that, else `not_asking`.'),
      null,
    ),
    waitFor: defaultsTo(forModels(WaitFor.optional(), waitForHelp), '`"ready"`'),
    waitForString: forModels(z.string().min(1).optional().describe('Same as `waitFor: {text}`; adds to it.'), null),
    waitForOutput: forModels(z.boolean().optional().describe('Same as `waitFor: "output"`; adds to it.'), null),
    waitTimeoutMs: forModels(waitTimeoutMs, 'default 30000'),
  }),
  output: z.object({
    sent: z.literal(true).describe('Always `true`; an input that could not be sent is an error.'),
    ...observationFields,
  }),
  example: { terminalId: 'term-1', text: 'make test' },
  answer: {
    sent: true,
    outcome: 'met',
    output: '42 passed, 0 failed\n$',
    cursor: 129,
    exitCode: 0,
    state: 'ready',
    kind: 'shell',
    confidence: 'certain',
  },
})

export const run = defineVerb({
  name: 'run',
  tool: 'terminal_run',
  title: 'Run command',
  summary:
    'Run shell commands to their end: output and exit code. In terminalId’s shell (keeps cwd and variables), else in a fresh terminal. If it asks something or takes longer, go on with its terminalId.',
  effect: 'destroys',
  touches: ['terminalId'],
  opensTerminal: true,
  safety: { types: 'terminalId', starts: 'itself', yields: 'line', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty run', library: 'session.run()' },
  models: { resultFields: ['terminalId', 'output', 'outcome', 'exitCode', 'commands'] },
  input: z.strictObject({
    command: withoutNul(z.string().min(1).max(commandCharactersMax)).describe(
      'Lines for the shell. In a `terminalId` they are typed one by one, each when the shell has taken the one before.',
    ),
    terminalId: TerminalId.optional().describe(
      'A shell at its prompt. Without it the command gets a terminal of its own, which ends with it.',
    ),
    cwd: defaultsTo(
      FolderName.optional().describe('Where to run it. In a `terminalId` the shell changes there and stays.'),
      'the client’s, or the shell’s',
    ),
    clearLine: z
      .boolean()
      .optional()
      .describe(
        'Drop the text at the shell’s prompt first, with ctrl+c. Without it, a prompt that is not empty is refused with `line_not_empty`.',
      ),
    ifTaken: forModels(IfTaken, null),
    timeoutMs: waitTimeoutMs.describe('As `waitTimeoutMs` elsewhere.'),
  }),
  output: z.object({
    ...observationFields,
    commands: z
      .array(
        z.object({
          line: z.string().describe('A command as it was typed.'),
          exitCode: z.number().int().optional(),
        }),
      )
      .optional()
      .describe('In a `terminalId`, where there were several: the `line` of each command and its `exitCode`.'),
    terminalId: z.string().describe('Where it ran. A terminal of its own stays readable after the command.'),
    durationMs: z.number().describe('How long it took.'),
  }),
  example: { command: 'git status --short' },
  answer: {
    outcome: 'met',
    output: '?? report.py',
    cursor: 22,
    state: 'exited',
    exitCode: 0,
    terminalId: 'term-3',
    durationMs: 5.4,
  },
})

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

/** Writes the bytes that a person’s own terminal sends for pressed keys. */
export const write = defineVerb({
  name: 'write',
  title: 'Write bytes',
  summary: 'Write bytes (base64) to a terminal as they are. Waits for nothing.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: 'lease', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty attach', library: 'client.call("write")' },
  input: z.strictObject({
    terminalId: TerminalId,
    data: z
      .base64()
      .max(Math.ceil((sendBytesMax * 4) / 3))
      .describe('The bytes, in base64.'),
    numbered: z
      .strictObject({
        writer: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('A random number of the writer.'),
        number: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Of these bytes: 1, 2, 3 …'),
      })
      .optional()
      .describe(
        'What was written under this number, or a later one, is not written again, not even by the next daemon.',
      ),
  }),
  output: z.object({
    written: z.literal(true).describe('Always `true`; an input that could not be written is an error.'),
    note: z.string().optional().describe('What happened to the input, when it did not simply arrive.'),
  }),
  example: { terminalId: 'term-1', data: 'bHMK' },
})
