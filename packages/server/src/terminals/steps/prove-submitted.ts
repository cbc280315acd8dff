/**
 * An instruction counts as given when the agent has taken it: it works, or what was typed has left its input box. An Enter that the
 * agent has swallowed is pressed again. The text is typed again only where an agent that starts has lost it: its box is empty, its screen
 * is as it was before, and it has never worked.
 */

import { inputBoxOf } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { type Millis, TermError } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { Typist } from '@agentpty/protocol/session'
import type { EngineContext } from '../../call/index.ts'
import { seesPastes } from './type-text.ts'
import { cancelled } from './wait-in-call.ts'

const enter = Uint8Array.of(0x0d)
/** If the text is still in the agent's box after this time, and the agent has done nothing, Enter was not accepted. */
const swallowedMs = 1_500
const entersMax = 3
/** A busy machine, or a model that is far away: some show nothing of their work for seconds after Enter. */
const beginsMs = 10_000
/** A command of the agent itself leaves the box and begins nothing. */
const commandMs = 1_500
/** A person may be typing and may enter it; the output of a starting program is soon drawn over. */
const draftMs = 3_000
const shownCharactersMax = 200
const lookAgainMs = 100
/** A server without facts about this program gets them within this time: it has just started, or was not asked about it before. */
const factsMs = 250
/** The end of a text shows best whose it is: long ones are cut at their beginning. */
const tailCharacters = 12

/**
 * Returns whether it has an input box. Errors: `line_not_empty` when another's text stays in it for a while; `agent_busy` when the agent
 * does not read what was typed before.
 */
export async function assertNoDraft(
  { clock }: Pick<EngineContext, 'clock'>,
  session: Session,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<boolean> {
  await untilKnown(clock, session)
  await untilTaken(clock, session, signal)
  const latest = clock.now() + draftMs
  let draft = await draftOf(session)
  while (draft !== null && draft !== '' && clock.now() < latest && signal?.aborted !== true) {
    await nextChange(session, latest, signal)
    draft = await draftOf(session)
  }
  if (draft === null || draft === '') return draft !== null
  throw new TermError(
    'line_not_empty',
    `In the input box of ${session.info.id} stands ${shown(draft)}, typed and not submitted.`,
    'Submit it with the key enter, or empty the box with ctrl+u (terminal_send_keys), then instruct again. Nothing was typed.',
  )
}

interface Typed {
  readonly text: string
  readonly typist: Typist
  /** The rows of the screen before the text was typed, for an agent that has taken no instruction before. */
  readonly startedWith: readonly string[] | null
}

/** Proves that a program took `text` from its input box. False: it is lost. Errors: `not_submitted`, `needs_answer`, `cancelled`. */
export async function proveSubmitted(
  engine: Pick<EngineContext, 'clock'>,
  session: Session,
  typed: Typed,
  context: Pick<CallContext, 'signal'>,
): Promise<boolean> {
  const release = session.watch()
  try {
    return await isSubmitted(engine, session, typed, context)
  } finally {
    release()
  }
}

async function isSubmitted(
  { clock }: Pick<EngineContext, 'clock'>,
  session: Session,
  { text, typist, startedWith }: Typed,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<boolean> {
  const latestMs = text.startsWith('/') ? commandMs : beginsMs
  let enteredAt = clock.now()
  let enters = 1
  let workedAt = clock.now()
  let hasRested = false
  while (session.exit === null) {
    if (signal?.aborted === true) throw cancelled()
    const draft = await draftOf(session)
    if (isAtWork(session)) workedAt = clock.now()
    else hasRested = true
    const waitedMs = clock.now() - enteredAt
    const { verdict } = session.turn()
    const isAsking = verdict.needs === 'answer'
    const isStarting = startedWith !== null && !session.program.agentHasWorked && !text.startsWith('/')
    if (isAsking && isStarting) throw askedAsItStarted(session, verdict.question)
    // Some take the box away while they draw what comes next.
    if (draft === null || !isOwn(draft, text) || isAsking) {
      // Before it has come to its input, the screen is about its earlier work: the end of its start, say.
      if (!isStarting && ((hasRested && session.program.agentTookInput) || isAsking)) return true
      if (isStarting && draft === '' && (await isShown(session, text))) return true
      if (waitedMs >= latestMs) return !isStarting || draft !== '' || (await hasDrawnSince(session, startedWith))
    } else if (clock.now() - Math.max(enteredAt, workedAt) >= swallowedMs || waitedMs >= beginsMs) {
      if (enters === entersMax) throw notSubmitted(session, draft)
      await session.keyboard.write(enter, typist)
      enteredAt = clock.now()
      enters += 1
    }
    const lookAt = clock.now() + lookAgainMs
    await nextChange(session, hasRested ? Math.max(lookAt, enteredAt + swallowedMs) : lookAt, signal)
  }
  return true
}

/** Waits until the facts show whether the program edits its input itself. */
async function untilKnown(clock: EngineContext['clock'], session: Session): Promise<void> {
  const { modes, commands, program } = session
  if (!modes.bracketedPaste || commands.atPrompt || program.hasEventLoop) return
  const release = session.watch()
  await program.nextFacts(clock.now() + factsMs)
  release()
}

/** Waits until the agent has read what was typed before this call, and has had the time to draw it. Errors: `agent_busy`. */
async function untilTaken(
  clock: EngineContext['clock'],
  session: Session,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { program } = session
  if (program.lastInputAt === 0) return
  const latest = clock.now() + draftMs
  const drawnAt = program.lastInputAt + draftMs
  const isExpected = () => program.inputUnread || (clock.now() < drawnAt && isAtWork(session))
  const release = session.watch()
  try {
    while (isExpected() && session.exit === null && signal?.aborted !== true) {
      if (clock.now() >= latest) break
      await program.nextFacts(Math.min(latest, clock.now() + lookAgainMs))
    }
  } finally {
    release()
  }
  if (!program.inputUnread || session.exit !== null) return
  throw new TermError(
    'agent_busy',
    `${session.info.id} has not read what was typed before.`,
    'Wait for it with terminal_wait, then instruct again. Nothing was typed.',
  )
}

/** Returns the text that was typed into the agent’s input box and not submitted; null without a box. */
async function draftOf(session: Session): Promise<string | null> {
  if (!seesPastes(session)) return null
  return inputBoxOf((await session.screen()).picture())?.draft ?? null
}

/** It may not have come to what was entered: nothing was seen of it since, or it has not read it, or it computes. */
function isAtWork({ program }: Session): boolean {
  const { latestFacts, foreground, inputUnread } = program
  if (latestFacts === null) return foreground.group !== 0
  return inputUnread || latestFacts.wait === 'none'
}

/** A long text may be shown as the place where it was pasted. */
function isOwn(draft: string, text: string): boolean {
  return compact(draft).endsWith(tailOf(text)) || /\bpasted\b/i.test(draft)
}

/** Returns whether the box shows more than a changed placeholder; counts when neither the instruction nor work is shown. */
async function hasDrawnSince(session: Session, before: readonly string[]): Promise<boolean> {
  const now = (await session.screen()).picture().text
  return now.filter((row, at) => row.trimEnd() !== (before[at] ?? '').trimEnd()).length > placeholderRows
}

const placeholderRows = 1

/** Returns whether the text is shown above the box, where agents show their instructions. A box may look empty while it is drawn. */
async function isShown(session: Session, text: string): Promise<boolean> {
  const picture = (await session.screen()).picture()
  const shown = picture.text.slice(0, inputBoxOf(picture)?.row).join('\n')
  return compact(shown).includes(tailOf(text)) || /\bpasted\b/i.test(shown)
}

const tailOf = (text: string) => compact(text).slice(-tailCharacters)

/** Without blanks and what frames are drawn of. */
const compact = (text: string) => text.replaceAll(/[\s│┃║▌▐█]+/g, '')

async function nextChange(session: Session, latest: Millis, signal: AbortSignal | undefined): Promise<void> {
  const output = [{ kind: 'output' }] as const
  await session.wait({ conditions: output, since: session.parsedTo, deadline: latest, signal })
}

/** Returns the error for a question that took the place of the box. Before the agent has done anything, it concerns its start. */
function askedAsItStarted({ info: { id } }: Session, question: string | null): TermError {
  return new TermError(
    'needs_answer',
    `${id} shows a dialog${question === null ? '' : `: ${question}`}`,
    'It came up as the instruction was typed, which is lost. Answer it, then instruct again.',
  )
}

export function lostAsItStarted({ info: { id } }: Session): TermError {
  return new TermError(
    'not_submitted',
    `${id} has lost the instruction each time that it was typed: nothing of it is on its screen, and its input box is empty.`,
    'Look with terminal_screenshot, and instruct again once it takes input.',
  )
}

function notSubmitted({ info: { id } }: Session, draft: string): TermError {
  return new TermError(
    'not_submitted',
    `${id} has not taken the instruction: ${shown(draft)} stands in its input box, and Enter was pressed ${entersMax} times.`,
    'Look with terminal_screenshot. Do not type it again: submit it with the key enter, or empty the box with ctrl+u.',
  )
}

function shown(draft: string): string {
  return JSON.stringify(draft.length > shownCharactersMax ? `${draft.slice(0, shownCharactersMax)}[...]` : draft)
}
