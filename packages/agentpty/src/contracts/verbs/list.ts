import { z } from 'zod'
import { verdictFields } from '../call/observation.ts'
import { defineOperation } from '../call/operation.ts'

export const list = defineOperation({
  name: 'list',
  tool: 'terminal_list',
  title: 'List terminals',
  summary: 'All terminals with their state.',
  effect: 'reads',
  input: z.strictObject({}),
  output: z.object({
    terminals: z.array(
      z.object({
        terminalId: z.string(),
        name: z.string().optional(),
        command: z.string(),
        pid: z.number().int(),
        cwd: z.string(),
        isActive: z.boolean(),
        cursor: z.number().int(),
        /** Milliseconds since 1970. */
        createdAt: z.number(),
        /** The terminal in which the program ran that opened this one. */
        parent: z.string().optional(),
        ...verdictFields,
      }),
    ),
  }),
  example: {},
})
