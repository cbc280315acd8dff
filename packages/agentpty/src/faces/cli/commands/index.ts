/** The table of commands, in the order of the help. */

import type { Command } from '../command.ts'
import { explainTurn, reportState, serveDaemon, serveMcp, showStatus, showToken, stopDaemon } from './agentpty.ts'
import { attachTerminal, watchTerminals } from './attach.ts'
import { printCompletion } from './completion.ts'
import { showConfig } from './config.ts'
import { runDoctor } from './doctor.ts'
import { initClients } from './init.ts'
import { listTerminals, printRecording, readOutput, showScreen, waitForTerminals } from './look.ts'
import { closeTerminals, newTerminal, renameTerminal, resizeTerminal } from './open.ts'
import { runCommand } from './run.ts'
import { terminalcp } from './terminalcp.ts'
import { pressKeys, sendText } from './type.ts'

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
