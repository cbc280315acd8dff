export { attach } from './attach/attachment.ts'
export { detachKey } from './attach/prefix-keys.ts'
export { atOnce, goTo, requireTerminal, Window, withLastingClient } from './attach/window.ts'
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
  printResult,
  textFlag,
  textsFlag,
  withClient,
} from './command.ts'
export { cell, table } from './format-tables.ts'
export { ProgressLine } from './plain-text.ts'
