export {
  dotProblem,
  isAllowedHost,
  isLocalAddress,
  parseNetworkHost,
  portProblem,
  Sandbox,
  SandboxInForce,
  type SandboxNetwork,
  SandboxSettings,
  shownSandbox,
  tasksInside,
} from './sandbox.ts'
export type { EnclosedStart, SandboxPlace, StartToEnclose, Walls } from './walls.ts'
