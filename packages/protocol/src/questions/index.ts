export type { AskedByProgram, Question, Questions } from './question.ts'
