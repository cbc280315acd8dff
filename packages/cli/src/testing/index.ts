export { loadAll } from '../command.ts'
