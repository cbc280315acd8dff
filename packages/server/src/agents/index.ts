/** Agents in terminals: tasks, answers, messages, lineage. Other modules import this file alone. */

export { messengerOf, terminalsOf } from './agent-terminals.ts'
export { type AgentsOptions, makeAgents } from './agents.ts'
export { agentStore } from './agents-file.ts'
export { agentHandlers } from './handlers.ts'
export { queuedAgentStore } from './queued-agents-files.ts'
export { TaskFolders } from './task-folders.ts'
