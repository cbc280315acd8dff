export { makeTtyUse } from './tty-use.ts'
