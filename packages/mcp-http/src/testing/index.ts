export { Task } from '../mcp/tasks/task.ts'
export { tasksExtension } from '../mcp/tasks/task-params.ts'
export { listTools } from '../mcp/tool-list.ts'
