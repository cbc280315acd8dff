export { type AgentsToolsetOptions, makeAgentsToolset } from './agents-toolset.ts'
export { startQueued } from './spawn.ts'
