export { OpenEnv, type OpenEnvParts, type OpenEnvRoute } from './openenv.ts'
