export {
  type Adapter,
  type AmountFields,
  type DatabaseShape,
  type FieldPath,
  type LinesShape,
  permissionModesOf,
  type RecordRule,
  type TranscriptShape,
  type UsedFields,
} from './adapter.ts'
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
  type SetTreeLimits,
  transcriptFilesMax,
  transcriptLineBytesMax,
  transcriptLookBytesMax,
  transcriptLookMsMax,
  transcriptNamesMax,
  transcriptSearchBytesMax,
  transcriptSearchMs,
  transcriptsMax,
  treeDepthMax,
  treeLimitsDefault,
  typedTogetherBytesMax,
  waitingBytesMax,
  waitingMessagesMax,
} from './agent-limits.ts'
export { cleanText, markedText, slotName, TerminalStart } from './agent-text.ts'
export type { Agents, AgentTerminals, LineageTerminal, OverTime, ScopedNode, TokensOf } from './agents.ts'
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
export {
  KeptLineage,
  type KeptNode,
  LineageChange,
  LineageNode,
  type LineageStore,
  modelsListedMax,
  type NodeStatus,
  nodeStatuses,
  RollUp,
  Usage,
  usageTogether,
} from './lineage.ts'
export {
  type InboxStore,
  type KeptDependency,
  KeptInbox,
  type KeptMessage,
  KeptQueuedAgent,
  Message,
  MessageState,
  type QueuedAgentStore,
  type Sender,
} from './messages.ts'
export {
  agentCommands,
  isAgentClient,
  type RegistrableClient,
  registrableClients,
  rosterRow,
  suggestedCommands,
} from './roster.ts'
export { GivenLimits, TreeLimits } from './tree-limits.ts'
