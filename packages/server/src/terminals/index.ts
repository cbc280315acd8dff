/** The verbs of terminals and their steps. Other modules import this file alone. */

export { fontFiles } from './font-files.ts'
export { terminalHandlers } from './handlers.ts'
export { leaseGuard } from './lease-guard.ts'
export { OpenQuestions } from './open-questions.ts'
export { countInvalid } from './steps/count-invalid.ts'
export { turnForLargeAnswer } from './steps/large-answer.ts'
export { maskBytes } from './steps/mask-lines.ts'
export { ownTreeGuard } from './steps/own-tree.ts'
export { describeAll } from './verbs/list.ts'
