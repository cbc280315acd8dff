/** The gates of terminals, and what they report. Other modules import this file alone. */

export { EffectApprovals } from './effect-approvals.ts'
export { makeGates } from './gates.ts'
export { undoRoom } from './undo-room.ts'
export { sweepInTime } from './undo-sweep.ts'
