export { checkPattern, matchingLines } from './bounded-pattern.ts'
export { searchableText } from './searchable-text.ts'
