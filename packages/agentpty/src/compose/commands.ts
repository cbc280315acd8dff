/** The table of commands, in the order of the help. */

import { terminalcp } from '../doors/terminalcp/command.ts'
import type { Command } from '../faces/cli/command.ts'
import { printAnswer } from '../faces/cli/commands/agent/answer.ts'
import { forkAgent, resumeAgent } from '../faces/cli/commands/agent/go-on.ts'
import { readInbox } from '../faces/cli/commands/agent/inbox.ts'
import { killAgents } from '../faces/cli/commands/agent/kill.ts'
import { listRunningAgents } from '../faces/cli/commands/agent/ls.ts'
import { messageAgent } from '../faces/cli/commands/agent/message.ts'
import { continueAgents, pauseAgents } from '../faces/cli/commands/agent/pause.ts'
import { replyToAgent } from '../faces/cli/commands/agent/reply.ts'
import { instructAgent } from '../faces/cli/commands/agent/send.ts'
import { spawnAgent } from '../faces/cli/commands/agent/spawn.ts'
import { showTree, watchTree } from '../faces/cli/commands/agent/tree.ts'
import { waitForAgents } from '../faces/cli/commands/agent/wait.ts'
import { listAgents } from '../faces/cli/commands/agents.ts'
import { showApprovals } from '../faces/cli/commands/approvals.ts'
import { attachTerminal } from '../faces/cli/commands/attach.ts'
import { showAudit } from '../faces/cli/commands/audit.ts'
import { closeTerminals } from '../faces/cli/commands/close.ts'
import { printCompletion } from '../faces/cli/commands/completion.ts'
import { showConfig } from '../faces/cli/commands/config.ts'
import { showDevices } from '../faces/cli/commands/devices.ts'
import { runDoctor } from '../faces/cli/commands/doctor.ts'
import { explainTurn } from '../faces/cli/commands/explain.ts'
import { exportRecording } from '../faces/cli/commands/export.ts'
import { checkHook, emitHook, startHook } from '../faces/cli/commands/hook.ts'
import { initClients } from '../faces/cli/commands/init.ts'
import { pressKeys } from '../faces/cli/commands/keys.ts'
import { listTerminals } from '../faces/cli/commands/ls.ts'
import { serveMcp } from '../faces/cli/commands/mcp.ts'
import { showNeeds } from '../faces/cli/commands/needs.ts'
import { newTerminal } from '../faces/cli/commands/new.ts'
import { openPage } from '../faces/cli/commands/open.ts'
import { pipeline } from '../faces/cli/commands/pipeline.ts'
import { policy } from '../faces/cli/commands/policy.ts'
import { readOutput } from '../faces/cli/commands/read.ts'
import { printRecording } from '../faces/cli/commands/recording.ts'
import { showRecordings } from '../faces/cli/commands/recordings.ts'
import { releaseTerminal } from '../faces/cli/commands/release.ts'
import { renameTerminal } from '../faces/cli/commands/rename.ts'
import { replayRecording } from '../faces/cli/commands/replay.ts'
import { reportState } from '../faces/cli/commands/report.ts'
import { resizeTerminal } from '../faces/cli/commands/resize.ts'
import { runCommand } from '../faces/cli/commands/run.ts'
import { showScreen } from '../faces/cli/commands/screen.ts'
import { typeSecret } from '../faces/cli/commands/secret.ts'
import { sendText } from '../faces/cli/commands/send.ts'
import { serveDaemon } from '../faces/cli/commands/serve.ts'
import { showStatus } from '../faces/cli/commands/status.ts'
import { stopDaemon } from '../faces/cli/commands/stop.ts'
import { takeTerminal } from '../faces/cli/commands/take.ts'
import { showTimeline } from '../faces/cli/commands/timeline.ts'
import { showToken } from '../faces/cli/commands/token.ts'
import { waitForTerminals } from '../faces/cli/commands/wait.ts'
import { watchTerminals } from '../faces/cli/commands/watch.ts'

export const commands: readonly Command[] = [
  newTerminal,
  listTerminals,
  runCommand,
  sendText,
  pressKeys,
  readOutput,
  printRecording,
  showTimeline,
  showRecordings,
  replayRecording,
  exportRecording,
  showScreen,
  waitForTerminals,
  renameTerminal,
  resizeTerminal,
  closeTerminals,
  listAgents,
  spawnAgent,
  forkAgent,
  resumeAgent,
  instructAgent,
  waitForAgents,
  replyToAgent,
  printAnswer,
  messageAgent,
  readInbox,
  listRunningAgents,
  showTree,
  watchTree,
  pauseAgents,
  continueAgents,
  killAgents,
  attachTerminal,
  takeTerminal,
  releaseTerminal,
  watchTerminals,
  openPage,
  showDevices,
  showApprovals,
  showNeeds,
  typeSecret,
  showAudit,
  explainTurn,
  printCompletion,
  policy,
  pipeline,
  serveMcp,
  initClients,
  terminalcp,
  reportState,
  startHook,
  checkHook,
  emitHook,
  showStatus,
  showToken,
  stopDaemon,
  serveDaemon,
  showConfig,
  runDoctor,
]
