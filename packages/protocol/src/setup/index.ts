export type { AgentProgram, FindAgents } from './agent-programs.ts'
export type { Doctor, DoctorOptions, Finding, FindingMark } from './doctor.ts'
export { doctorName, parseReachedDaemon, type ReachedDaemon, reachedDaemonKey } from './reached-daemon.ts'
export { type EntryWay, parseEntry, type RegisteredEntry } from './registered-entry.ts'
export {
  type ClientState,
  type OfferedServer,
  ownServerName,
  type Registrar,
  type RegistrationChange,
  type RegistrationRequest,
  type ServerWay,
  serverNameOf,
} from './registration.ts'
