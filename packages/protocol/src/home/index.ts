export { prefixHint, prefixPattern } from './attach-prefix.ts'
export {
  adaptersIn,
  agentsHelp,
  type Config,
  type ConfigKey,
  type ConfigSetting,
  type ConfigValue,
  configDefaults,
  configJsonSchema,
  configKeys,
  type ExplainedAdapter,
  explainAdapters,
  explainConfig,
  policyHelp,
  readConfig,
  treeLimitsIn,
} from './config.ts'
export { type ConfigFile, isSectionName } from './config-file.ts'
export { gymIn, notifyIn, recordingIn } from './config-sections.ts'
export { DaemonEnd, describePreviousEnd, LastCall, type PreviousEnd } from './daemon-end.ts'
export {
  bootAtPrefix,
  type DaemonLock,
  isSameBoot,
  judgeLock,
  type LockHolder,
  type LockState,
  parseLock,
} from './daemon-lock.ts'
export { type DiscoveryFile, type DiscoveryState, discoveryFiles, type ServedAt } from './discovery.ts'
export { GymSettings, gymDefaults, type OpenEnvSettings, type SweRexSettings } from './gym-settings.ts'
export { NotifySettings } from './notify-settings.ts'
export { instanceVariables, olderRunFolders, type Paths, resolvePaths, socketsIn } from './paths.ts'
export { RecordingSettings, recordingDefaults } from './recording-settings.ts'
export { plainYaml, readYaml, type YamlMap, type YamlValue, yamlLineAt } from './yaml-text.ts'
