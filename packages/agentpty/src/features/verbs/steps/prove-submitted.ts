/**
 * An instruction counts as given when the agent has taken it: it works, or what was typed has left its input box. An Enter that the
 * agent has swallowed is pressed again; the text is never typed twice.
 */

import type { CallContext } from '../../../contracts/call/call-context.ts'
import { TermError } from '../../../contracts/errors.ts'
import type { Millis } from '../../../contracts/units.ts'
import { inputBoxOf } from '../../../engine/screen/input-box.ts'
import type { Session } from '../../../engine/session/session.ts'
import type { EngineContext } from './engine-context.ts'
import { seesPastes } from './type-text.ts'
import { cancelled } from './wait-in-call.ts'

const enter = Uint8Array.of(0x0d)
/** A text that stands in the box for so long after Enter will not be submitted by it. */
const swallowedMs = 1_500
const entersMax = 3
/** A busy machine, or a model that is far away: some show nothing of their work for seconds after Enter. */
const beginsMs = 10_000
/** A command of the agent itself leaves the box and begins nothing. */
const commandMs = 1_500
/** Somebody types there and may enter it; what a program that starts prints is soon drawn over. */
const draftMs = 3_000
const shownCharactersMax = 200
/** The end of a text shows best whose it is: long ones are cut at their beginning. */
const tailCharacters = 12

/** Whether it has an input box. Errors: `line_not_empty` when somebody’s text stands in it, and stays for a while. */
export async function assertNoDraft(
  { clock }: Pick<EngineContext, 'clock'>,
  session: Session,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<boolean> {
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

/** Of a program with an input box, once Enter was pressed after `text`. Errors: `not_submitted`, `cancelled`. */
export async function proveSubmitted(
  { clock }: Pick<EngineContext, 'clock'>,
  session: Session,
  text: string,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<void> {
  const latestMs = text.startsWith('/') ? commandMs : beginsMs
  let [enteredAt, enters] = [clock.now(), 1]
  while (session.exit === null) {
    if (signal?.aborted === true) throw cancelled()
    const draft = await draftOf(session)
    const waitedMs = clock.now() - enteredAt
    const { verdict } = session.turn()
    const isAsking = verdict.needs === 'answer'
    // Some take the box away while they draw what comes next.
    if (draft === null || !isOwn(draft, text) || isAsking) {
      if (session.program.agentTookInput || isAsking || waitedMs >= latestMs) return
    } else if (waitedMs >= swallowedMs) {
      if (enters === entersMax) throw notSubmitted(session, draft)
      await session.write(enter)
      enteredAt = clock.now()
      enters += 1
    }
    await nextChange(session, Math.max(clock.now() + 100, enteredAt + swallowedMs), signal)
  }
}

/** What was typed into the agent’s input box and not submitted; null without one. */
async function draftOf(session: Session): Promise<string | null> {
  if (!seesPastes(session)) return null
  return inputBoxOf((await session.screen()).picture())?.draft ?? null
}

/** A long text may be shown as the place where it was pasted. */
function isOwn(draft: string, text: string): boolean {
  return compact(draft).endsWith(compact(text).slice(-tailCharacters)) || /\bpasted\b/i.test(draft)
}

const compact = (text: string) => text.replaceAll(/\s+/g, '')

async function nextChange(session: Session, latest: Millis, signal: AbortSignal | undefined): Promise<void> {
  const output = [{ kind: 'output' }] as const
  await session.wait({ conditions: output, since: session.parsedTo, deadline: latest, signal })
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
