import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { viewMsDefault, viewMsMax } from '../page/page-limits.ts'
import { defaultsTo, defineVerb } from './verb.ts'

/** For persons: an agent could let itself in as one. */
export const openPage = defineVerb({
  name: 'openPage',
  tool: null,
  title: 'Open page',
  summary: 'An address that signs one browser in to the page, once and for a minute.',
  effect: 'changes',
  touches: 'nobody',
  safety: { types: null, starts: null, yields: null, callers: 'person' },
  journal: ({ readOnly }) => (readOnly ? 'read-only' : null),
  words: { cli: 'agentpty open', library: 'client.call("openPage")' },
  input: z.strictObject({
    readOnly: z.boolean().default(false).describe('The browser may look, and change nothing.'),
    onlyTerminal: TerminalId.optional().describe('With `readOnly`: it sees this terminal and no other.'),
    forMs: defaultsTo(
      z.number().int().min(1_000).max(viewMsMax).optional().describe('How long it may, in milliseconds.'),
      `with \`readOnly\` ${viewMsDefault}, else until it is revoked`,
    ),
    withFile: z
      .boolean()
      .default(false)
      .describe('Also write a file that leads a browser there, for one that is started by a command.'),
  }),
  output: z.object({
    url: z.string().describe('The address with the code behind its `#`.'),
    file: z.string().optional().describe('The file; it is removed once the code is used or has expired.'),
    expiresAt: z.number().describe('When the code is worth nothing any more, in milliseconds since 1970.'),
  }),
  example: {},
  answer: { url: 'http://127.0.0.1:17580/#c=pWq0dTn3xN2mJ1o8kQ5c7A', expiresAt: 1750000060000 },
})
