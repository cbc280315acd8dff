/** Sections of `config.yaml` that have a shape of their own. */

import { TermError } from '../errors.ts'
import { type ConfigFile, parseConfigFile, type YamlEntry } from './config-file.ts'
import { type GymSettings, gymDefaults, gymHelp, readGymSettings } from './gym-settings.ts'
import {
  type NotifySettings,
  notifyHelp,
  type RecordingSettings,
  readNotifySettings,
  readRecordingSettings,
  recordingDefaults,
  recordingHelp,
} from './settings.ts'

interface SectionSetting<Value> {
  readonly key: 'notify' | 'recording' | 'gym'
  readonly variable: null
  /** Null where it is not set. */
  readonly value: Value | null
  /** `default`, or the file and its line. */
  readonly origin: string
  readonly help: string
}

/** The secret is not shown. */
export function explainNotify(entry: YamlEntry | null, path: string): SectionSetting<NotifySettings> {
  const row = { key: 'notify', variable: null, help: notifyHelp } as const
  const settings = readNotify(entry, path)
  if (entry === null || settings === null) return { ...row, value: null, origin: 'default' }
  const { secret, ...shown } = settings
  const value = secret === undefined ? shown : { ...shown, secret: 'set, and not shown' }
  return { ...row, value, origin: `${path}:${entry.line}` }
}

function readNotify(entry: YamlEntry | null, path: string): NotifySettings | null {
  if (entry === null) return null
  const { settings, fault } = readNotifySettings(entry.value)
  if (fault === null) return settings
  throw new TermError('invalid_input', `${path}:${fault.line}: notify: ${fault.what}.`, 'See docs/notifications.md.')
}

export function explainRecording(entry: YamlEntry | null, path: string): SectionSetting<RecordingSettings> {
  const row = { key: 'recording', variable: null, help: recordingHelp } as const
  if (entry === null) return { ...row, value: null, origin: 'default' }
  return { ...row, value: readRecording(entry, path), origin: `${path}:${entry.line}` }
}

function readRecording(entry: YamlEntry | null, path: string): RecordingSettings {
  if (entry === null) return recordingDefaults
  const { settings, fault } = readRecordingSettings(entry.value)
  if (fault === null) return settings
  throw new TermError('invalid_input', `${path}:${fault.line}: recording: ${fault.what}.`, 'See docs/recordings.md.')
}

export function explainGym(entry: YamlEntry | null, path: string): SectionSetting<GymSettings> {
  const row = { key: 'gym', variable: null, help: gymHelp } as const
  if (entry === null) return { ...row, value: null, origin: 'default' }
  return { ...row, value: readGym(entry, path), origin: `${path}:${entry.line}` }
}

function readGym(entry: YamlEntry | null, path: string): GymSettings {
  if (entry === null) return gymDefaults
  const { settings, fault } = readGymSettings(entry.value)
  if (fault === null) return settings
  throw new TermError('invalid_input', `${path}:${fault.line}: gym: ${fault.what}.`, 'See docs/gym.md.')
}

/** `gym` by a file. Errors: `invalid_input`. */
export function gymIn(file: ConfigFile | null): GymSettings {
  return readGym(file === null ? null : (parseConfigFile(file).sections.get('gym') ?? null), file?.path ?? '')
}

/** `recording` by a file. Errors: `invalid_input`. */
export function recordingIn(file: ConfigFile | null): RecordingSettings {
  return readRecording(
    file === null ? null : (parseConfigFile(file).sections.get('recording') ?? null),
    file?.path ?? '',
  )
}

/** `notify` by a file; null without. Errors: `invalid_input`. */
export function notifyIn(file: ConfigFile | null): NotifySettings | null {
  return file === null ? null : readNotify(parseConfigFile(file).sections.get('notify') ?? null, file.path)
}
