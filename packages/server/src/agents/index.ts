/** Agents in terminals: tasks, answers, messages, lineage. Other modules import this file alone. */

export { messengerOf, terminalsOf } from './agent-terminals.ts'
export { type AgentsOptions, makeAgents } from './agents.ts'
export { agentStore } from './agents-file.ts'
export { TaskFolders } from './fences.ts'
export { agentHandlers } from './lineage-verbs.ts'
export { queuedAgentStore } from './queued-agents-files.ts'
