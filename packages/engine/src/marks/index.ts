export { CommandTracker, type FinishedCommand, type RunningCommand } from './command-tracker.ts'
export { marksPrompts } from './parse-osc.ts'
