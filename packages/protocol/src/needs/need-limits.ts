/** Every bound of the overview of all terminals, and of what needs a person. */

import type { Millis } from '../units.ts'

/** Changes of terminals are gathered for so long, and looked for as often. */
export const overviewGatherMs: Millis = 250
/** The first overview waits no longer for states that are not known yet. */
export const firstOverviewMs: Millis = 1_000
/** Of each text in a row. */
export const overviewTextCharactersMax = 200

/** Terminals whose program is sampled at the same time. */
export const glancesAtOnceMax = 32
/** A glance samples a program for so long; a shell whose marks say that it is at its prompt may take longer. */
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
/** What a program asks is a need once it has waited for so long: a program types faster. */
export const needAfterMs: Millis = 2_000
/** The same while somebody is attached, who has most likely seen it. */
export const attachedNeedAfterMs: Millis = 20_000
