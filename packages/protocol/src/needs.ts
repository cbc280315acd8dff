/** Needs: everything that is blocked on a person, from all sources in one list. */

import * as z from 'zod'
import { TerminalId } from './call/terminal-fields.ts'
import { needKinds } from './need-limits.ts'
import type { Millis } from './units.ts'

export {
  attachedNeedAfterMs,
  firstOverviewMs,
  floodGapMs,
  glanceGapMsMin,
  glanceMs,
  glancesAtOnceMax,
  hookMsMax,
  livelyGapMsMax,
  messagesWaitingMax,
  type NeedKind,
  needAfterMs,
  needIdCharactersMax,
  needOptionsMax,
  needsMax,
  needTextCharactersMax,
  overviewGatherMs,
  overviewTextCharactersMax,
  promptGlanceMs,
  retryGapsMs,
  silentGapMsMax,
  steadyMs,
  webhookMsMax,
} from './need-limits.ts'

export const Need = z.object({
  needId: z.string().describe('Stays the same while it is needed; never given twice.'),
  kind: z
    .enum(needKinds)
    .describe(
      '`approval`: an agent wants to do something. `question`: an agent or a program asks a person. `dialog`: of an agent. `password`, `confirmation`: of any program. `takeOver`: an agent asks for a person to take its terminal over. `failure`: it has ended with an error.',
    ),
  terminalId: TerminalId.nullable().describe('Where; null for a terminal that is not open yet.'),
  title: z.string().describe('Who needs it: the name of the terminal, or its id and what runs there.'),
  text: z.string().describe('What is needed, in the words of who asks.'),
  options: z.array(z.string()).optional().describe('What can be answered, where that is known.'),
  since: z.number().describe('In milliseconds since 1970.'),
  askedBy: z.string().optional().describe('The client or the program that asks.'),
  isSecret: z.boolean().optional().describe('The answer is not shown, and no model may see it.'),
  answerBy: z
    .object({
      verb: z
        .enum(['decide', 'answer', 'reply', 'secret', 'send', 'take', 'dismiss'])
        .describe('The verb that answers it.'),
      input: z.record(z.string(), z.unknown()).describe('Its input, without the answer.'),
      answer: z.string().nullable().describe('The field of the input that takes the answer; null where it takes none.'),
    })
    .describe('How it is answered.'),
})
export type Need = Readonly<z.output<typeof Need>>

// Messages about needs to the recipients in the settings.

/** `need`: a person is needed. `withdrawn`: not any more; it was answered, or what asked is gone. */
export interface NotifyMessage {
  readonly type: 'need' | 'withdrawn'
  /** Never given twice, and the same when it is sent again. */
  readonly id: string
  /** In milliseconds since 1970. */
  readonly at: number
  /** Secrets are masked. */
  readonly need: Need
}

/** `taken`: by the receiver, or the message is pointless now. Else the time that the receiver asks to wait, and why. */
export type SendOutcome = 'taken' | { readonly tryAgainAfterMs: Millis; readonly why: string }

/** Errors: why the receiver has not taken the message; then it may be tried again. */
export type SendMessage = (message: NotifyMessage) => Promise<SendOutcome>
