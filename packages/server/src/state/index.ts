/** The daemon’s own state: lock, log, token, ports, files that lead to it. Other modules import this file alone. */

export {
  heldElsewhere,
  keepLock,
  keepPort,
  LastCallFile,
  lastPort,
  listens,
  readEnd,
  readLastCall,
  readLock,
  releaseLock,
  rewriteLock,
  socketOf,
  stateOf,
  takeLock,
  unreachable,
  writeEnd,
} from './daemon-lock.ts'
export { DaemonLog } from './daemon-log.ts'
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
