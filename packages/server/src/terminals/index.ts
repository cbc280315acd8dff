/** The verbs of terminals and their steps. Other modules import this file alone. */

export { terminalHandlers } from './handlers.ts'
export { leaseGuard, ownTreeGuard } from './lease-guard.ts'
export { fontFiles, OpenQuestions } from './open-questions.ts'
export { maskBytes } from './steps/mask-lines.ts'
export { countInvalid, turnForLargeAnswer } from './steps/observe.ts'
export { describeAll } from './verbs/terminals.ts'
