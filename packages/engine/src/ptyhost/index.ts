export { claimHost, claimRunningHost, type HostPaths, provideHostProgram } from './claim-host.ts'
export { HostLink } from './host-link.ts'
export { environmentAbove, placeOf } from './place-of.ts'
export { wallProgram } from './protocol.ts'
