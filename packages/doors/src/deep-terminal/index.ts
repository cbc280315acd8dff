export { makeDeepTerminal } from './deep-terminal.ts'
