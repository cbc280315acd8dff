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
export {
  type ConfigFile,
  isSectionName,
  plainYaml,
  readYaml,
  type YamlMap,
  type YamlValue,
  yamlLineAt,
} from './config-file.ts'
export { gymIn, notifyIn, recordingIn } from './config-sections.ts'
export {
  bootAtPrefix,
  DaemonEnd,
  type DaemonLock,
  type DiscoveryFile,
  type DiscoveryState,
  describePreviousEnd,
  discoveryFiles,
  isSameBoot,
  judgeLock,
  LastCall,
  type LockHolder,
  type LockState,
  type PreviousEnd,
  parseLock,
  type ServedAt,
} from './daemon-files.ts'
export { GymSettings, gymDefaults, type OpenEnvSettings, type SweRexSettings } from './gym-settings.ts'
export { instanceVariables, olderRunFolders, type Paths, resolvePaths, socketsIn } from './paths.ts'
export { NotifySettings, prefixHint, prefixPattern, RecordingSettings, recordingDefaults } from './settings.ts'
