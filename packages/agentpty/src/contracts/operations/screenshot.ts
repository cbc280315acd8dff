import { z } from 'zod'
import { scrollbackRows } from '../limits.ts'
import { verdictFields } from '../observation.ts'
import { defineOperation } from '../operation.ts'
import { TerminalId } from '../terminal-fields.ts'

export const screenshot = defineOperation({
  name: 'screenshot',
  tool: 'terminal_screenshot',
  title: 'Look at screen',
  summary:
    'What a person would see now. For full-screen programs (vim, htop, menus). lines: add that many rows of scrollback.',
  effect: 'reads',
  input: z.strictObject({
    terminalId: TerminalId,
    lines: z.number().int().min(0).max(scrollbackRows).optional(),
    format: z.enum(['text', 'ansi', 'html']).optional(),
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
    /** Output that is not on the screen yet, when drawing it takes too long: the screen shows what came before `drawnTo`. */
    behindBytes: z.number().int().optional(),
    drawnTo: z.number().int().optional(),
    ...verdictFields,
  }),
  example: { terminalId: 'term-1' },
})
