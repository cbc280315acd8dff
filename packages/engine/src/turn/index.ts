export { isStatementPrompt } from './prompt-shape.ts'
