export { type Adapter, permissionModesOf } from './adapter.ts'
export { knownAdapters } from './adapters-table.ts'
export {
  agentsKeptMax,
  conversationsSearchedMax,
  databaseFramesMax,
  databasePagesMax,
  endedMessagesMax,
  inboxesKeptMax,
  messagesReadMax,
  messagesSearchedMax,
  requestsRememberedMax,
  transcriptFilesMax,
  transcriptLineBytesMax,
  transcriptLookBytesMax,
  transcriptLookMsMax,
  transcriptNamesMax,
  transcriptSearchBytesMax,
  transcriptSearchMs,
  transcriptsMax,
  typedTogetherBytesMax,
  waitingBytesMax,
  waitingMessagesMax,
} from './agent-limits.ts'
export type { Agents, AgentTerminals, LineageTerminal, OverTime, TokensOf, ToldNode } from './agents.ts'
export { cleanText } from './clean-text.ts'
export { hasCrashed, hasFinished } from './has-finished.ts'
export { type HookCommands, type HookWay, hookMoments, hookSettings, renderHook, resolveHook } from './hooks.ts'
export {
  type AgentStore,
  ArtifactSource,
  type KeptAgent,
  KeptAgents,
  type KeptArtifact,
  type KeptTask,
  noAgents,
  Worktree,
} from './kept-agents.ts'
export { KeptLineage, type KeptNode, type LineageStore } from './kept-lineage.ts'
export { LineageChange, LineageNode, type NodeStatus, nodeStatuses, RollUp } from './lineage.ts'
export { markedText } from './marked-text.ts'
export {
  type InboxStore,
  KeptInbox,
  type KeptMessage,
  Message,
  MessageState,
  type Sender,
} from './messages.ts'
export { type KeptDependency, KeptQueuedAgent, type QueuedAgentStore } from './queued-agent.ts'
export {
  agentCommands,
  isAgentClient,
  type RegistrableClient,
  registrableClients,
  rosterRow,
  suggestedCommands,
} from './roster.ts'
export { slotName } from './slot-name.ts'
export { TerminalStart } from './terminal-start.ts'
export type {
  AmountFields,
  DatabaseShape,
  FieldPath,
  LinesShape,
  RecordRule,
  TranscriptShape,
  UsedFields,
} from './transcript-shape.ts'
export { GivenLimits, type SetTreeLimits, TreeLimits, treeDepthMax, treeLimitsDefault } from './tree-limits.ts'
export { modelsTold, Usage, usageTogether } from './usage.ts'
