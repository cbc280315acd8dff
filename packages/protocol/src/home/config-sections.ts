/** Sections of `config.yaml` that have a shape of their own. */

import { invalidInput } from '../errors.ts'
import { type ConfigFile, parseConfigFile, type ReadSettings, type YamlEntry, type YamlValue } from './config-file.ts'
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

interface Section<Value> {
  readonly key: SectionSetting<Value>['key']
  readonly help: string
  readonly page: string
  readonly read: (value: YamlValue) => ReadSettings<Value>
}

const notify: Section<NotifySettings> = {
  key: 'notify',
  help: notifyHelp,
  page: 'docs/notifications.md',
  read: readNotifySettings,
}
export const recordingSection: Section<RecordingSettings> = {
  key: 'recording',
  help: recordingHelp,
  page: 'docs/recordings.md',
  read: readRecordingSettings,
}
export const gymSection: Section<GymSettings> = {
  key: 'gym',
  help: gymHelp,
  page: 'docs/gym.md',
  read: readGymSettings,
}

/** The secret is not shown. */
export function explainNotify(entry: YamlEntry | null, path: string): SectionSetting<NotifySettings> {
  const setting = explain(notify, entry, path)
  if (setting.value?.secret === undefined) return setting
  const { secret: _, ...shown } = setting.value
  return { ...setting, value: { ...shown, secret: 'set, and not shown' } }
}

export function explain<Value>(section: Section<Value>, entry: YamlEntry | null, path: string): SectionSetting<Value> {
  const row = { key: section.key, variable: null, help: section.help } as const
  if (entry === null) return { ...row, value: null, origin: 'default' }
  return { ...row, value: read(section, entry, path), origin: `${path}:${entry.line}` }
}

function read<Value>(section: Section<Value>, entry: YamlEntry, path: string): Value {
  const { settings, fault } = section.read(entry.value)
  if (fault === null) return settings
  throw invalidInput(`${path}:${fault.line}: ${section.key}: ${fault.what}.`, `See ${section.page}.`)
}

function valueIn<Value>(section: Section<Value>, file: ConfigFile | null): Value | null {
  if (file === null) return null
  const entry = parseConfigFile(file).sections.get(section.key)
  return entry === undefined ? null : read(section, entry, file.path)
}

/** `gym` by a file. Errors: `invalid_input`. */
export function gymIn(file: ConfigFile | null): GymSettings {
  return valueIn(gymSection, file) ?? gymDefaults
}

/** `recording` by a file. Errors: `invalid_input`. */
export function recordingIn(file: ConfigFile | null): RecordingSettings {
  return valueIn(recordingSection, file) ?? recordingDefaults
}

/** `notify` by a file; null without. Errors: `invalid_input`. */
export function notifyIn(file: ConfigFile | null): NotifySettings | null {
  return valueIn(notify, file)
}
