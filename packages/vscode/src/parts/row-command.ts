/** What a click on a row of a view does. */

import type { Command } from 'vscode'

/**
 * Without arguments: the command takes what is selected in the view. The editor forgets the arguments of a row's command whenever it
 * draws the row again, and a click at that moment does nothing but say that there is no such command. The selection is told before the
 * command is.
 */
export function rowCommand(command: string, title: string): Command {
  return { command, title }
}
