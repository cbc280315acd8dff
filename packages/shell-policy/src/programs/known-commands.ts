import { knownCommands } from './known-commands-table.ts'

const names = new Set(knownCommands)

/** Whether a new meaning for this name would change what other lines do. */
export function isExistingCommand(name: string): boolean {
  return names.has(name)
}
