import * as z from 'zod'
import { verdictFields } from '../call/observation.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { scrollbackRows } from '../limits.ts'
import { defineVerb, forModels } from './verb.ts'

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
  // No fields are named: clients that were told of some want them in a structured result, and show their model no image beside it.
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
    commands: forModels(z.boolean().optional().describe('Also where the prompts of commands stand in the rows.'), null),
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
