export {
  dotProblem,
  isAllowedHost,
  isLocalAddress,
  parseNetworkHost,
  portProblem,
  type SandboxNetwork,
  tasksInside,
} from './network-host.ts'
export { Sandbox, SandboxInForce, SandboxSettings, shownSandbox } from './sandbox.ts'
export type { EnclosedStart, SandboxPlace, StartToEnclose, Walls } from './walls.ts'
