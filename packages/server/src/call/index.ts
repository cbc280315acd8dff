/** The way of a call: pipeline, permits, handlers, connected clients. Other modules import this file alone. */

export { McpClients } from './mcp-clients.ts'
export {
  type EngineContext,
  type Handler,
  type HandlerContext,
  type Handlers,
  type Overview,
  Pipeline,
  secretsFor,
  typesInto,
} from './pipeline.ts'
