/** The gates of terminals, and what they report. Other modules import this file alone. */

export { EffectApprovals } from './effect-approvals.ts'
export { makeGates } from './gates.ts'
