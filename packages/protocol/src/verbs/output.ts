import * as z from 'zod'
import { observationFields, verdictFields } from '../call/observation.ts'
import { TerminalId, WaitFor, waitTimeoutMs } from '../call/terminal-fields.ts'
import { foundLinesMax, outputBytesMax, scrollbackRows, searchPatternCharactersMax } from '../limits.ts'
import { defaultsTo, defineVerb, forModels } from './verb.ts'

export const read = defineVerb({
  name: 'read',
  tool: 'terminal_read',
  title: 'Read output',
  summary:
    'Read output from offset `since` (a cursor; default: all that is kept). `find`: only lines matching this regex, with contextLines around. raw: bytes with escapes.',
  effect: 'reads',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty read', library: 'session.read()' },
  models: { resultFields: ['output', 'cursor', 'outcome', 'state'] },
  input: z.strictObject({
    terminalId: TerminalId,
    since: defaultsTo(
      z.number().int().min(0).optional().describe('Offset to read from: a `cursor` of an earlier result.'),
      'all that is kept',
    ),
    until: forModels(
      z.number().int().min(0).optional().describe('Nothing from this offset on: the end of a command, say.'),
      null,
    ),
    waitFor: defaultsTo(forModels(WaitFor.optional(), 'as in terminal_send; default none'), '`"none"`'),
    waitForOutput: forModels(z.boolean().optional().describe('Same as `waitFor: "output"`; adds to it.'), null),
    waitForString: forModels(z.string().min(1).optional().describe('Same as `waitFor: {text}`; adds to it.'), null),
    waitTimeoutMs,
    find: z
      .string()
      .min(1)
      .max(searchPatternCharactersMax)
      .optional()
      .describe('Regular expression; only matching lines come back, each as `offset: text`.'),
    ignoreCase: forModels(z.boolean().optional().describe('`find` matches capitals and small letters alike.'), null),
    limit: forModels(
      z
        .number()
        .int()
        .min(1)
        .max(foundLinesMax)
        .optional()
        .describe(
          'With `find`: at most this many lines, and their offsets in `hits`. Lines that begin at `since` or later and before `until` count; rows of full-screen programs do not. No lines around them are shown.',
        ),
      null,
    ),
    backward: forModels(
      z.boolean().optional().describe('With `limit`: from `until` to `since`, so the last line comes first.'),
      null,
    ),
    contextLines: z.number().int().min(0).max(50).default(0).describe('Lines to show around each match of `find`.'),
    raw: z.boolean().optional().describe('Bytes as the program sent them, escape sequences included.'),
    rows: forModels(
      z
        .boolean()
        .optional()
        .describe(
          'One piece of at most 32 KiB as rows of the terminal’s width, with colours as escape sequences: from the line of `since` on, or without it the piece that ends at `until`. `maxBytes` and `maxLines` do not apply. With `find`: the matches in these rows, too.',
        ),
      null,
    ),
    maxLines: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Lines to return at most; the middle is left out, and that is said.'),
    maxBytes: defaultsTo(
      z
        .number()
        .int()
        .min(256)
        .max(outputBytesMax)
        .optional()
        .describe(
          'Bytes to return at most; the middle is left out, and that is said. With `raw` the rest follows from `cursor`.',
        ),
      '10240',
    ),
  }),
  output: z.object({
    ...observationFields,
    output: z.string().describe('The text since `since`, as a person would have read it.'),
    isActive: z.boolean().describe('The program has not ended.'),
    matches: z.number().int().optional().describe('How many lines `find` matched; `output` may hold fewer.'),
    hits: z
      .array(z.number().int())
      .optional()
      .describe('With `limit`: the offsets of the matching lines, in the order of the search.'),
    rows: z
      .object({
        from: z.number().int().describe('Where the piece begins: `until` of the piece before it.'),
        next: z.number().int().describe('Where it ends: `since` of the piece after it.'),
        start: z.number().int().describe('Where the kept output begins.'),
        end: z.number().int().describe('Where the output ends.'),
        offsets: z.array(z.number().int()).describe('For each row of `output`, the offset of its line.'),
        matches: z
          .array(z.tuple([z.number().int(), z.number().int(), z.number().int()]))
          .optional()
          .describe(
            'With `find`: the row of each match, and its first and last index (exclusive) in that row’s text without escape sequences. A match that continues in the next row is two.',
          ),
      })
      .optional()
      .describe('With `rows`: the piece.'),
  }),
  example: { terminalId: 'term-1', since: 0 },
  answer: {
    output: '$ make test\n42 passed, 0 failed\n$ sleep 100\n^C\n$',
    cursor: 199,
    isActive: true,
    exitCode: 130,
    state: 'ready',
    kind: 'shell',
    confidence: 'certain',
  },
})

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

export const screenshot = defineVerb({
  name: 'screenshot',
  tool: 'terminal_screenshot',
  title: 'Look at screen',
  summary:
    'What a person would see now, highlighted text in « ». For full-screen programs. lines: add that many rows of scrollback.',
  effect: 'reads',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty screen', library: 'session.screen()' },
  // No fields are named: clients that know of some want them in a structured result, and show their model no image
  // beside it.
  models: { hasView: true },
  input: z.strictObject({
    terminalId: TerminalId,
    lines: z.number().int().min(0).max(scrollbackRows).default(0).describe('Rows of scrollback to add above.'),
    format: z
      .enum(['text', 'plain', 'ansi', 'html', 'svg', 'png'])
      .default('text')
      .describe(
        '`"plain"` is the text without the marks « », `"ansi"` keeps colours as escape sequences, `"html"` as markup; `"png"` and `"svg"` are pictures, which `image` holds.',
      ),
    commands: forModels(z.boolean().optional().describe('Also the rows of command prompts.'), null),
    theme: forModels(z.enum(['dark', 'light']).default('dark').describe('The colours of a picture.'), null),
  }),
  output: z.object({
    screen: z
      .string()
      .describe(
        'The rows of the screen. What stands out by its background (the choice of a menu, a selection, a button) stands between « and ».',
      ),
    scrollbackRows: z
      .number()
      .int()
      .optional()
      .describe('With `lines`: how many of the rows of `screen` have gone out at the top.'),
    image: z
      .object({
        mimeType: z.enum(['image/svg+xml', 'image/png']),
        data: z.string().describe('The markup of an SVG; a PNG in base64.'),
        width: z.number().int().describe('In pixels.'),
        height: z.number().int().describe('In pixels.'),
      })
      .optional()
      .describe('The picture, where one is asked for; `screen` is empty then. MCP clients get it as an image.'),
    rows: z.number().int().describe('Height in cells.'),
    cols: z.number().int().describe('Width in cells.'),
    cursorRow: z.number().int().describe('Row of the screen’s cursor, 0-based from the top of the viewport.'),
    cursorCol: z.number().int().describe('Column of the screen’s cursor, 0-based.'),
    title: z.string().optional().describe('The title the program gave its terminal.'),
    alternateScreen: z
      .literal(true)
      .optional()
      .describe('`true` while a full-screen program draws on the second grid.'),
    highlights: z
      .array(
        z.object({
          row: z.number().int().describe('Row, 0-based from the top of the viewport.'),
          col: z.number().int().describe('Column, 0-based.'),
          text: z.string().describe('What is highlighted.'),
        }),
      )
      .optional()
      .describe('What stands between the marks, and where.'),
    commands: z
      .array(
        z.object({
          row: z.number().int().describe('Of `screen`, 0-based: where its prompt begins.'),
          offset: z.number().int().describe('Where its output begins: `since` of `read`.'),
          end: z.number().int().nullable().describe('Where its output ends, its `until`; null while it runs.'),
          exitCode: z.number().int().nullable(),
        }),
      )
      .optional()
      .describe('The commands of a shell, the oldest first, where they are asked for.'),
    behindBytes: z
      .number()
      .int()
      .optional()
      .describe(
        'Output that is not on the screen yet: drawing it takes longer than two seconds. Look again to see it.',
      ),
    drawnTo: z.number().int().optional().describe('The offset that the screen has come to, when it is behind.'),
    ...verdictFields,
  }),
  example: { terminalId: 'term-1' },
  answer: {
    screen: '$ make test\n42 passed, 0 failed\n$ sleep 100\n^C\n$',
    rows: 30,
    cols: 120,
    cursorRow: 4,
    cursorCol: 2,
    state: 'ready',
    kind: 'shell',
    confidence: 'certain',
  },
})
