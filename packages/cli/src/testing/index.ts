export { loadAll } from '../command.ts'
export { sentence } from '../help.ts'
