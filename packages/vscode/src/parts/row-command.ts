/** The command of a click on a row of a view. */

import type { Command } from 'vscode'

/**
 * Builds a command without arguments: it acts on the selection of the view. The editor drops a row command's arguments when it redraws the
 * row, and a click at that moment fails. The selection is reported before the command runs.
 */
export function rowCommand(command: string, title: string): Command {
  return { command, title }
}
