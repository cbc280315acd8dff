/** The way of a call: pipeline, permits, handlers, connected clients. Other modules import this file alone. */

export {
  type EngineContext,
  type Handler,
  type HandlerContext,
  type Handlers,
  type Overview,
  secretsFor,
} from './handler.ts'
export { McpClients } from './mcp-clients.ts'
export { Pipeline, typesInto } from './pipeline.ts'
