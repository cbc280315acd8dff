import { z } from 'zod'
import { verdictFields } from '../call/observation.ts'
import { defineOperation } from '../call/operation.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { scrollbackRows } from '../limits.ts'

export const screenshot = defineOperation({
  name: 'screenshot',
  tool: 'terminal_screenshot',
  title: 'Look at screen',
  summary:
    'What a person would see now, highlighted text in « ». For full-screen programs (vim, htop, menus). lines: add that many rows of scrollback.',
  effect: 'reads',
  input: z.strictObject({
    terminalId: TerminalId,
    lines: z.number().int().min(0).max(scrollbackRows).optional(),
    /** `plain` is the text without marks. */
    format: z.enum(['text', 'plain', 'ansi', 'html']).optional(),
  }),
  output: z.object({
    screen: z.string(),
    rows: z.number().int(),
    cols: z.number().int(),
    /** 0-based, from the top left of the viewport. */
    cursorRow: z.number().int(),
    cursorCol: z.number().int(),
    title: z.string().optional(),
    alternateScreen: z.literal(true).optional(),
    /** What stands out by its background: a menu's choice, a selection. Rows and columns as the cursor's. */
    highlights: z.array(z.object({ row: z.number().int(), col: z.number().int(), text: z.string() })).optional(),
    /** Output that is not on the screen yet, when drawing it takes too long: the screen shows what came before `drawnTo`. */
    behindBytes: z.number().int().optional(),
    drawnTo: z.number().int().optional(),
    ...verdictFields,
  }),
  example: { terminalId: 'term-1' },
})
