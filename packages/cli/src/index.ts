export { attach } from './attach/attachment.ts'
export { detachKey } from './attach/detach-key.ts'
export { requireTerminal, withLastingClient } from './attach/sit-down.ts'
export { atOnce, goTo, Window } from './attach/window.ts'
export { runCli } from './cli.ts'
export {
  type CliOptions,
  type Command,
  type CommandCall,
  type CommandTable,
  type ConnectOptions,
  exitCode,
  type Flag,
  type FlagValues,
  numberFlag,
  type OwnerOnly,
  textFlag,
  textsFlag,
  withClient,
} from './command.ts'
export { endWithReader, onInterrupt, ownTerminal, pipedInput, print, readInput } from './own-terminal.ts'
export { ProgressLine } from './progress-line.ts'
export { cell, table } from './table.ts'
