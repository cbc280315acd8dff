/** A solution that is typed and not run: `solution/keystrokes.json`, beside where solve.sh stands. */

import { join } from 'node:path'
import { instructionBytesMax } from '@agentpty/protocol/gym'
import { readTextInside } from '../folder-files.ts'
import { readJsonText } from '../json-text.ts'
import { parseAs } from '../malformed.ts'
import { KeystrokeCommands } from './terminal-bench-task.ts'

/** From the task's folder. */
export const keystrokesPlace = 'solution/keystrokes.json'

/** Null for a task without one. Errors: `invalid_input`, `limit_reached`, `environment`. */
export function readKeystrokeSolution(folder: string): KeystrokeCommands | null {
  const file = join(folder, keystrokesPlace)
  const text = readTextInside(folder, keystrokesPlace, instructionBytesMax)
  if (text === null) return null
  return parseAs(KeystrokeCommands, readJsonText(text, { file, bytesMax: instructionBytesMax }), file)
}
