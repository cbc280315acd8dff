export {
  type ClientHello,
  type DaemonHello,
  type DaemonLogStatus,
  type DaemonStatus,
  parseClientHello,
  parseDaemonHello,
  writeHello,
} from './handshake.ts'
export { isObject, type JsonObject, LineSplitter, LineWire, parseObject, SocketMessages } from './line-wire.ts'
export { Typing } from './typing.ts'
export type { Carrier, SharedBounds } from './wire.ts'
export { daemonGone, WireClient } from './wire-client.ts'
