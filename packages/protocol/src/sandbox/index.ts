export { isAllowedHost, isLocalAddress } from './allowed-host.ts'
export { dotProblem, parseNetworkHost, portProblem } from './network-host.ts'
export { Sandbox, SandboxInForce, type SandboxNetwork, SandboxSettings, shownSandbox, tasksInside } from './sandbox.ts'
export type { EnclosedStart, SandboxPlace, StartToEnclose, Walls } from './walls.ts'
