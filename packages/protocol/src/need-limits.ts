import type { Millis } from './units.ts'

export const needKinds = ['approval', 'question', 'dialog', 'password', 'confirmation', 'takeOver', 'failure'] as const
export type NeedKind = (typeof needKinds)[number]

// Every bound of the overview of all terminals, and of what needs a person.

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

/** An answer counts only if its question has been shown unchanged for this time: a key or a click may be meant for something else. */
export const steadyMs: Millis = 500

/** Messages that wait for one receiver; of too many the oldest are left out. */
export const messagesWaitingMax = 100
/** After a failure it is tried again after each of these. */
export const retryGapsMs: readonly Millis[] = [1_000, 5_000, 30_000, 120_000]
export const webhookMsMax: Millis = 10_000
export const hookMsMax: Millis = 30_000
