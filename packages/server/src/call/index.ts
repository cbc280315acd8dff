/** The way of a call: pipeline, permits, handlers, connected clients. Other modules import this file alone. */

export { type EngineContext, secretsFor } from './engine-context.ts'
export type { Handler, HandlerContext, Handlers } from './handler.ts'
export { McpClients } from './mcp-clients.ts'
export { Pipeline } from './pipeline.ts'
export { typesInto } from './types-into.ts'
