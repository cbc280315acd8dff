/** Needs: everything that is blocked on a person, from all sources in one list. */

import * as z from 'zod'
import { TerminalId } from './call/terminal-fields.ts'
import type { Millis } from './units.ts'

const needKinds = ['approval', 'question', 'dialog', 'password', 'confirmation', 'takeOver', 'failure'] as const
export type NeedKind = (typeof needKinds)[number]

export const Need = z.object({
  needId: z.string().describe('Stays the same while it is needed; never given twice.'),
  kind: z
    .enum(needKinds)
    .describe(
      '`approval`: an agent wants to do something. `question`: somebody has had it put to a person. `dialog`: of an agent. `password`, `confirmation`: of any program. `takeOver`: an agent asks for a person to take its terminal over. `failure`: it has ended with an error.',
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

/** For the documentation of verbs. */
export const exampleNeed: z.output<typeof Need> = {
  needId: 'term-4@8210',
  kind: 'dialog',
  terminalId: 'term-4',
  title: 'fix-tests',
  text: 'Would you like to run the following command?',
  options: ['Yes, proceed (y)', 'No, and tell Codex what to do differently (esc)'],
  since: 1_795_000_000_000,
  askedBy: 'codex',
  answerBy: { verb: 'reply', input: { terminalId: 'term-4' }, answer: 'option' },
}

/** Every bound of the overview of all terminals, and of what needs a person. */

/** Changes of terminals are collected for this time, and polled at the same interval. */
export const overviewGatherMs: Millis = 250
/** The first overview waits no longer for states that are not known yet. */
export const firstOverviewMs: Millis = 1_000
/** Characters of each text in a row. */
export const overviewTextCharactersMax = 200

/** Terminals whose program is sampled at the same time. */
export const glancesAtOnceMax = 32
/** A glance samples a program for this time; a shell whose marks say that it is at its prompt may take longer. */
export const glanceMs: Millis = 40
export const promptGlanceMs: Millis = 250
/** After a glance that has changed nothing, the next one at the same terminal waits twice as long: from the first to the last of these. */
export const glanceGapMsMin: Millis = 500
/** The longest wait while there is output now and then. */
export const livelyGapMsMax: Millis = 2_000
/** While output never pauses. */
export const floodGapMs: Millis = 4_000
/** While a program works in silence. */
export const silentGapMsMax: Millis = 15_000

/** In a list of needs; the newest. */
export const needsMax = 200
export const needIdCharactersMax = 100
export const needTextCharactersMax = 1_000
export const needOptionsMax = 20
/** A program's question becomes a need after it has waited for this time: a program may type an answer faster. */
export const needAfterMs: Millis = 2_000
/** The same while a person is attached, who has most likely seen it. */
export const attachedNeedAfterMs: Millis = 20_000

/** Messages about needs to the recipients in the settings. */

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

/** Resolves when the receiver has taken it. Errors: why not; then it may be tried again. */
export type SendMessage = (message: NotifyMessage) => Promise<void>

/** Messages that wait for one receiver; of too many the oldest are left out. */
export const messagesWaitingMax = 100
/** After a failure it is tried again after each of these. */
export const retryGapsMs: readonly Millis[] = [1_000, 5_000, 30_000, 120_000]
/** How long a receiver may take. */
export const webhookMsMax: Millis = 10_000
export const hookMsMax: Millis = 30_000
