/** The daemon’s own state: lock, log, token, ports, files that lead to it. Other modules import this file alone. */

export {
  heldElsewhere,
  keepLock,
  listens,
  readLock,
  releaseLock,
  rewriteLock,
  socketOf,
  stateOf,
  takeLock,
  unreachable,
} from './daemon-lock.ts'
export { DaemonLog } from './daemon-log.ts'
export { keepPort, LastCallFile, lastPort, readEnd, readLastCall, writeEnd } from './daemon-record.ts'
export {
  announce,
  askHealth,
  askProof,
  challengeIn,
  configPath,
  proofOf,
  readConfigFile,
  readDiscovery,
  withdraw,
} from './discovery.ts'
export { httpToken, readToken, withSockets } from './http-token.ts'
export { daemonsOf, isOwnDaemon, runFoldersOf } from './own-daemon.ts'
export { environmentOf, isRunning, isStopped, thisProcess } from './this-machine.ts'
