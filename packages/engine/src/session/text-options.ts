/** How text is typed into a session at this moment. */

import { basename } from 'node:path'
import type { TextOptions } from '../keys/encode-text.ts'
import { marksPrompts } from '../marks/parse-osc.ts'
import type { Session } from './session.ts'

export function textOptions({ modes, commands, info }: Session, submit: boolean): TextOptions {
  // In fish ctrl+v pastes; it has bracketed paste in all versions.
  const isQuoting = marksPrompts(info.shell) && basename(info.shell ?? '') !== 'fish'
  return { bracketedPaste: modes.bracketedPaste, quotesTabs: isQuoting && commands.atPrompt, submit }
}
