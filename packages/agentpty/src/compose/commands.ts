/** The table of commands, in the order of the help. */

import { terminalcp } from '../doors/terminalcp/command.ts'
import type { Command } from '../faces/cli/command.ts'
import {
  explainTurn,
  reportState,
  serveDaemon,
  serveMcp,
  showStatus,
  showToken,
  stopDaemon,
} from '../faces/cli/commands/agentpty.ts'
import { attachTerminal, watchTerminals } from '../faces/cli/commands/attach.ts'
import { printCompletion } from '../faces/cli/commands/completion.ts'
import { showConfig } from '../faces/cli/commands/config.ts'
import { runDoctor } from '../faces/cli/commands/doctor.ts'
import { initClients } from '../faces/cli/commands/init.ts'
import { listTerminals, printRecording, readOutput, showScreen, waitForTerminals } from '../faces/cli/commands/look.ts'
import { closeTerminals, newTerminal, renameTerminal, resizeTerminal } from '../faces/cli/commands/open.ts'
import { runCommand } from '../faces/cli/commands/run.ts'
import { pressKeys, sendText } from '../faces/cli/commands/type.ts'

export const commands: readonly Command[] = [
  newTerminal,
  listTerminals,
  runCommand,
  sendText,
  pressKeys,
  readOutput,
  printRecording,
  showScreen,
  waitForTerminals,
  renameTerminal,
  resizeTerminal,
  closeTerminals,
  attachTerminal,
  watchTerminals,
  explainTurn,
  printCompletion,
  serveMcp,
  initClients,
  terminalcp,
  reportState,
  showStatus,
  showToken,
  stopDaemon,
  serveDaemon,
  showConfig,
  runDoctor,
]
