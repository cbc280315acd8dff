export { hookCommand } from './hook-command.ts'
export { webhook } from './webhook.ts'
