export { askTool } from './asking/ask-person.ts'
export { canAsk, listedTools, type Offered, watchListedTools } from './call-tool.ts'
export { type McpEndpointOptions, mcpRoute, type Notifiers } from './http-endpoint.ts'
export { createServer, type McpServerOptions, serveMcp } from './mcp-server.ts'
export { ResourceWatcher, type WatcherOptions } from './resource-watcher.ts'
export { type Lines, SocketTransport } from './socket-transport.ts'
export {
  type Answer,
  type AnswerOptions,
  addTasks,
  declaresTasks,
  knowsTasks,
  Tasks,
  tasksNeeded,
  type Work,
} from './tasks/tasks.ts'
export { terminalToolset } from './tool-list.ts'
