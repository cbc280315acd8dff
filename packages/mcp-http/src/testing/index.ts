export { Task, tasksExtension } from '../mcp/tasks/task.ts'
export { listTools } from '../mcp/tool-list.ts'
