/** Entries in the files of MCP clients. Other modules import this file alone. */

export { registrar } from './registration.ts'
export { offeredServer } from './server-entry.ts'
