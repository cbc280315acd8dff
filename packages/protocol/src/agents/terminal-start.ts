/** What a terminal was opened with, as far as it is noted. */

import * as z from 'zod'

export const TerminalStart = z.strictObject({
  name: z.string().nullable(),
  /** The first words alone of a very long command. */
  argv: z.array(z.string()).readonly(),
  /** The shell's path when it is an interactive shell, else null. */
  shell: z.string().nullable(),
  hasWalls: z.boolean(),
})
export type TerminalStart = Readonly<z.infer<typeof TerminalStart>>
