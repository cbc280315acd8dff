/** Typing text as a person would: pasted whole where it has several lines, and Enter at the moment it counts. */

import { encodeText, type TextOptions, textOptions } from '@agentpty/engine/keys'
import type { Keyboard, Session } from '@agentpty/engine/session'
import { type Clock, invalidInput, type Millis, type Offset, resultBefore, type WriteResult } from '@agentpty/protocol'
import { shownText } from '@agentpty/protocol/approvals'
import type { CallContext, Condition, Ending } from '@agentpty/protocol/call'
import type { Typist } from '@agentpty/protocol/session'
import type { EngineContext } from '../../call/index.ts'
import { type CallWait, waitFor } from './wait-in-call.ts'

/** A full-screen program may take an Enter that comes with the text for a pasted newline. */
const enterQuietMs = 25
/** Agents take keys that come as fast as a program types for a paste, and an Enter within this time for part of it. */
const pasteBurstMs = 160
const enterLatestMs = 250
/** A busy agent reads the text late, together with the Enter: we wait this long for it. */
const readLatestMs = 5_000
/** An input box that has read a text and not drawn it submits its old text. We wait this long; it may hide the input. */
const shownLatestMs = 3_000
/** A longer text may be shown as a placeholder. */
const shownCharactersMax = 200
const tailCharacters = 12
const shownLineMax = 200

export interface Typing {
  readonly text: string
  readonly typist: Typist
  /** Press Enter after it. */
  readonly submit: boolean
  /** Throws where it shall not be typed after all. Asked in the step in which the bytes go. */
  readonly check?: () => void
  /** Done once it is typed, before the wait for its effect. */
  readonly proof?: () => Promise<void>
  /** How to wait for its effect. */
  readonly wait: CallWait
  readonly context: CallContext
}

/** Types and waits at the same time. The note says what became of the input; undefined when it simply arrived. */
export async function typeAndWait(
  engine: EngineContext,
  session: Session,
  { text, typist, submit, check, proof, wait, context }: Typing,
): Promise<{ readonly note: string | undefined; readonly ending: Ending | null }> {
  check?.()
  context.beginsTyping?.()
  const latest = engine.clock.now() + (context.typingMsMax ?? Number.POSITIVE_INFINITY)
  const { written } = await typeText(engine, session, text, { submit, typist, latest })
  if (proof !== undefined) await Promise.all([written, proof()])
  const timeoutMs = Math.min(wait.timeoutMs, Math.max(0, latest - engine.clock.now()))
  const { keyboard } = session
  return waitDuringWrite({ clock: engine.clock, keyboard }, written, (cancelWith) =>
    waitFor(engine.clock, session, { ...wait, timeoutMs }, context, cancelWith),
  )
}

/** Resolves when the last piece has been sent; `written` resolves when it has arrived. Enter is pressed at `latest`, whatever is drawn. */
export async function typeText(
  { clock }: EngineContext,
  session: Session,
  text: string,
  { submit, typist, latest = Number.POSITIVE_INFINITY }: HowToType,
): Promise<{ readonly written: Promise<WriteResult> }> {
  const options = textOptions(session, submit)
  if (submit) assertTabsAreText(session, text, options)
  const { body, enter } = encodeText(text, options)
  const write = (bytes: Uint8Array) => session.keyboard.write(bytes, typist)
  if (enter === null) return { written: write(body) }
  const { commands, keyboard } = session
  // While another call types, its line comes first, and a new line begins in insert mode.
  if (commands.atPrompt && keyboard.isMidLine && keyboard.gating === null) keyboard.lineEditor.leaveCommandMode()
  if (body.length === 0 || !drawsItsOwnInput(session)) return { written: write(Buffer.concat([body, enter])) }
  const finish = session.holdInput()
  const since = session.parsedTo
  const writing = write(body)
  // When it is refused while we wait below it has no listener yet; `written` rejects then.
  writing.catch(() => undefined)
  try {
    await untilDrawn(clock, session, latest)
    if (session.program.inputUnread) {
      await untilRead(clock, session, latest)
      await untilDrawn(clock, session, latest)
    }
    if (seesPastes(session)) await untilShown(clock, session, { text, since, latest })
    const entering = write(enter)
    return {
      written: Promise.all([writing, entering]).then(([first, second]) =>
        first.result === 'written' ? second : first,
      ),
    }
  } finally {
    finish()
  }
}

/** Errors: `invalid_input` where a line editor would take a tab in the text for its key, and complete a word. */
function assertTabsAreText(session: Session, text: string, { bracketedPaste, quotesTabs }: TextOptions): void {
  if (bracketedPaste || quotesTabs || session.modes.alternateScreen || !/\t[\s\S]*\S/.test(text)) return
  const { latestFacts } = session.program
  if (latestFacts === null || latestFacts.canonical || latestFacts.echo) return
  throw invalidInput(
    `The program of ${session.info.id} reads keys and would take the tab in the text for one of them, such as completion. Nothing was typed.`,
    'Write blanks in place of tabs, or press each with terminal_send_keys ["ctrl+v", "tab"] where its line editor quotes keys.',
  )
}

interface HowToType {
  readonly submit: boolean
  readonly typist: Typist
  readonly latest?: Millis
}

async function untilDrawn(clock: Clock, session: Session, latest: Millis): Promise<void> {
  const ms = seesPastes(session) ? pasteBurstMs : enterQuietMs
  const deadline = Math.min(latest, clock.now() + enterLatestMs)
  await session.wait({ conditions: [{ kind: 'quiet', ms }], since: session.parsedTo, deadline })
}

/** Waits until the program has drawn the end of the text or, for a long text, anything. */
async function untilShown(
  clock: Clock,
  session: Session,
  { text, since, latest }: { readonly text: string; readonly since: Offset; readonly latest: Millis },
): Promise<void> {
  const lastWord = text.trimEnd().split(/\s/).at(-1) ?? ''
  const isShort = lastWord !== '' && text.length <= shownCharactersMax && !text.includes('\n')
  const condition: Condition = isShort ? { kind: 'text', text: lastWord.slice(-tailCharacters) } : { kind: 'output' }
  const shown = await session.wait({ conditions: [condition], since, deadline: clock.now() })
  if (shown.outcome !== 'timeout') return
  const deadline = Math.min(latest, clock.now() + shownLatestMs)
  await session.wait({ conditions: [condition], since, deadline })
  await untilDrawn(clock, session, latest)
}

async function untilRead(clock: Clock, session: Session, asked: Millis): Promise<void> {
  const latest = Math.min(asked, clock.now() + readLatestMs)
  const { program } = session
  const release = session.watch()
  while (program.inputUnread && session.exit === null && clock.now() < latest) await program.nextFacts(latest)
  release()
}

/** A full-screen program, or one with an event loop that edits its input itself; a shell at its prompt is neither. */
export function drawsItsOwnInput(session: Session): boolean {
  return session.modes.alternateScreen || seesPastes(session)
}

/** An agent's input box, or something made like one. */
export function seesPastes(session: Session): boolean {
  return session.modes.bracketedPaste && !session.commands.atPrompt && session.program.hasEventLoop
}

const unreadNote = 'The program has not read all of the input yet.'

/** Result of a write; null when the program has not read all of it by the deadline. Waits beyond the deadline for the gate's decision. */
export async function writtenBy(
  { clock, keyboard }: { readonly clock: Clock; readonly keyboard: Pick<Keyboard, 'gating'> },
  writing: Promise<WriteResult>,
  deadline: Millis,
): Promise<WriteResult | null> {
  let written = await resultBefore(writing, { clock, latest: deadline })
  while (written === null && keyboard.gating !== null) written = await Promise.race([writing, keyboard.gating])
  return written
}

/** How long a write may still take when the concurrent wait is over; an ordinary write is done long before. */
const writeGraceMs = 100

/** Runs a wait with its write, so that a program that does not read holds no call beyond its deadline. The note has the write's result. */
export async function waitDuringWrite(
  typing: { readonly clock: Clock; readonly keyboard: Pick<Keyboard, 'gating'> },
  writing: Promise<WriteResult>,
  wait: (cancelWith: (cancel: () => void) => void) => Promise<Ending | null>,
): Promise<{ readonly note: string | undefined; readonly ending: Ending | null }> {
  let cancelWait = () => {}
  const waiting = wait((cancel) => {
    cancelWait = cancel
  })
  let result: WriteResult | null = null
  const waitingOnceWritten = writing.then((written) => {
    result = written
    return waiting
  })
  // Its caller gets the error of the write first; what comes after the deadline has no reader any more.
  for (const either of [waiting, waitingOnceWritten]) either.catch(() => undefined)
  try {
    const ending = await Promise.race([waiting, waitingOnceWritten])
    result ??= await writtenBy(typing, writing, typing.clock.now() + writeGraceMs)
    return { note: noteOf(result), ending }
  } catch (error) {
    cancelWait()
    throw error
  }
}

/** Returns a note for the caller about its input; undefined when it simply arrived. With null, it has not arrived yet. */
export function noteOf(result: WriteResult | null): string | undefined {
  if (result === null) return unreadNote
  if (result.result === 'interrupted') {
    return `The program was not reading: ${result.signal} was sent to it and ${result.droppedBytes} bytes typed ahead were dropped.`
  }
  if (result.result === 'refused')
    return `The shell did not take ${JSON.stringify(shownText(result.line, shownLineMax))} as it was meant: nothing behind it was typed.`
  if (result.result === 'dropped')
    return `${result.droppedBytes} bytes of the input were dropped: an interrupt or the end came first.`
  return undefined
}
