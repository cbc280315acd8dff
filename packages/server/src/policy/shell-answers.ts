/** A shell's answers to lines that were entered, as its marks show them. */

import type { CommandTracker } from '@agentpty/engine/marks'
import type { Session } from '@agentpty/engine/session'
import type { Clock, Millis, Offset } from '@agentpty/protocol'
import type { EnteredLine } from '@agentpty/shell-policy'

/** From Enter to the shell's answer: it runs the line, waits for the rest of it, or shows a prompt. */
const answerMsMax = 10_000

export interface Answering {
  readonly session: Session
  readonly clock: Clock
}

/** A command has started behind this offset. */
export function hasRunSince({ current, last }: Pick<CommandTracker, 'current' | 'last'>, before: Offset): boolean {
  return ((current ?? last)?.outputStart ?? 0) > before
}

interface Prompting {
  readonly isAtPrompt: boolean
}

/** Resolves when the shell runs something, waits for the rest of a command, or shows a prompt, and at the latest after `ms`. */
export function answered({ session, clock }: Answering, before: Offset, ms: Millis = answerMsMax): Promise<void> {
  const { commands } = session
  const has = () => commands.hasInvitedSince(before) || (commands.current?.outputStart ?? 0) > before
  return untilOutput({ session, clock }, has, clock.now() + ms)
}

/** The shell has read the line as it was judged, and reads the next one as a line of its own, or of the same command where it is open. */
export async function isTaken(parts: Answering, before: Offset, { text, isOpen }: EnteredLine): Promise<boolean> {
  await answered(parts, before)
  const { commands } = parts.session
  const isBack = commands.hasInvitedSince(before)
  if (isOpen) return isBack && commands.continues
  if (isBack && commands.continues) return false
  return hasRunSince(commands, before) || /^\s*(?:#|$)/.test(text)
}

/** Waits for the prompt; returns whether it has come. */
export async function isBackInTime(parts: Answering, gate: Prompting, ms: Millis = answerMsMax): Promise<boolean> {
  await untilOutput(parts, () => gate.isAtPrompt, parts.clock.now() + ms)
  return gate.isAtPrompt
}

async function untilOutput({ session, clock }: Answering, holds: () => boolean, deadline: Millis): Promise<void> {
  while (!holds() && session.exit === null && clock.now() < deadline)
    await session.wait({ conditions: [{ kind: 'output' }], since: session.log.end, deadline })
}
