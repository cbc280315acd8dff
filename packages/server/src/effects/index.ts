/** The gates of terminals, and what they report. Other modules import this file alone. */

export { EffectApprovals } from './effect-approvals.ts'
export { effectRecord } from './effect-records.ts'
export { makeGates } from './gates.ts'
