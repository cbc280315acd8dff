export { terminalcp } from './command.ts'
export { serveWire, type WireServerOptions } from './socket-server.ts'
export { makeTerminalcp } from './terminalcp.ts'
