/**
 * The text that an agent has typed and not entered when a person takes the terminal over. The person must not enter it
 * with a line of their own.
 *
 * ptyhost removes it where the terminal itself edits lines. A shell at its prompt drops its line by ctrl+c. With other
 * line editors the row is read before and after ctrl+u, so that nothing false is reported.
 */

import type { Session } from '@agentpty/engine/session'
import type { Millis } from '@agentpty/protocol'
import type { PermittedContext } from '@agentpty/protocol/call'
import type { EngineContext } from '../../call/index.ts'
import { typistOf } from './interact.ts'
import { clearPrompt, typedAtPrompt } from './prompt-line.ts'

/** Ctrl+U. */
const killLine = Uint8Array.of(0x15)
/** A line editor has drawn what the key did within this time. */
const drawnMs: Millis = 500
/** The end of a text shows best whether it is there. */
const tailCharacters = 12

export interface HalfLine {
  readonly removed?: string
  /** The text that is still there. */
  readonly leftover?: string
}

/** `text`: what was typed; nothing is done for an empty one. */
export async function takeHalfLineBack(
  engine: EngineContext,
  session: Session,
  text: string,
  context: PermittedContext,
): Promise<HalfLine> {
  if (text.trim() === '' || session.exit !== null) return {}
  session.keyboard.forget()
  const typist = typistOf(session, context)
  if (session.commands.atPrompt) {
    if ((await typedAtPrompt(session)) !== '') await clearPrompt(engine.clock, session, { typist, context })
    return { removed: text }
  }
  // ptyhost has dropped it, and the terminal takes its echo back.
  if (await session.program.readsLines()) return { removed: text }
  // A program that shows nothing of its line cannot be asked whether it is gone.
  if (!(await isShown(session, text))) return { leftover: text }
  if (!session.modes.alternateScreen || session.modes.bracketedPaste) await session.keyboard.write(killLine, typist)
  return (await isGone(engine, session, text)) ? { removed: text } : { leftover: text }
}

/** At the cursor, in its row or at the end of the one above. */
async function isShown(session: Session, text: string): Promise<boolean> {
  const { text: rows, cursor } = (await session.screen()).picture()
  const near = `${rows[cursor.row - 1] ?? ''}${rows[cursor.row] ?? ''}`
  return near.includes(text.trimEnd().slice(-tailCharacters))
}

async function isGone({ clock }: EngineContext, session: Session, text: string): Promise<boolean> {
  const deadline = clock.now() + drawnMs
  while (await isShown(session, text)) {
    if (clock.now() >= deadline || session.exit !== null) return false
    await session.wait({ conditions: [{ kind: 'output' }], since: session.parsedTo, deadline })
  }
  return true
}
