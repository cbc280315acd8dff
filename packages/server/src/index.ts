export { serverHandlers } from './handlers.ts'
export { LocalClient, privateParts, type ServerParts } from './local-client.ts'
