/** Entries in the files of MCP clients. Other modules import this file alone. */

export { offeredServer } from './offered-server.ts'
export { registrar } from './registration.ts'
