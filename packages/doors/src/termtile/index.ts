export { makeTermtile, type TermtileOptions } from './termtile.ts'
