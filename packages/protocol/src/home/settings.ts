/** `notify:` in config.yaml: the recipients of notifications about needs. */

import * as z from 'zod'
import {
  recordingAgeDaysDefault,
  recordingFileBytesDefault,
  recordingFileBytesMax,
  recordingsBytesDefault,
  recordingsBytesMax,
} from '../recording/recordings.ts'
import { plainYaml, type ReadSettings, type YamlValue, yamlLineAt } from './config-file.ts'

const Word = z.string().min(1).max(10_000)

export const NotifySettings = z.strictObject({
  command: z
    .union([Word, z.array(Word).min(1).max(100)])
    .optional()
    .describe('A program and its words; no shell reads them. It gets the message as JSON on its standard input.'),
  webhook: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('An address that gets the message by POST, without the contents of screens.'),
  secret: z
    .string()
    .min(16)
    .max(1_000)
    .optional()
    .describe('What messages to the address are signed with: `whsec_` and base64, or any text.'),
  after: z.number().min(0).max(86_400).default(10).describe('Seconds until a notification is sent.'),
})
export type NotifySettings = Readonly<z.output<typeof NotifySettings>>

export const notifyHelp = 'Notifications about everything that needs a person (docs/notifications.md).'

export function readNotifySettings(value: YamlValue): ReadSettings<NotifySettings> {
  return settingsOrFault(NotifySettings.safeParse(plainYaml(value) ?? {}), value)
}

function settingsOrFault<Settings>(parsed: z.ZodSafeParseResult<Settings>, value: YamlValue): ReadSettings<Settings> {
  const [issue] = parsed.error?.issues ?? []
  if (parsed.success) return { settings: parsed.data, fault: null }
  const path = (issue?.path ?? []).map(String)
  const what = `${path.length === 0 ? '' : `${path.join('.')}: `}${issue?.message ?? 'no value'}`
  return { settings: null, fault: { line: yamlLineAt(value, path), what } }
}

// `recording:` in config.yaml: which terminals are recorded, and how much of that is kept.

const Mode = z.enum(['off', 'on', 'onFailure'])

const Fields = z.strictObject({
  mode: Mode.default('off').describe(
    'Which terminals: `off` only those opened with --record, `on` all, `onFailure` all, kept where something has failed.',
  ),
  maxBytes: z
    .number()
    .int()
    .min(4_096)
    .max(recordingFileBytesMax)
    .default(recordingFileBytesDefault)
    .describe('How large one recording may become; it ends there.'),
  totalBytes: z
    .number()
    .int()
    .min(0)
    .max(recordingsBytesMax)
    .default(recordingsBytesDefault)
    .describe('How much all of them may take; the oldest make room.'),
  maxAgeDays: z
    .number()
    .min(0)
    .max(3_650)
    .default(recordingAgeDaysDefault)
    .describe('After how many days a recording that has ended is removed.'),
  input: z
    .boolean()
    .default(false)
    .describe('Whether what is typed is recorded, too; never where the terminal shows none of it.'),
})

/** A word alone is the mode. */
export const RecordingSettings = z.union([Mode.transform((mode) => Fields.parse({ mode })), Fields])
export type RecordingSettings = Readonly<z.output<typeof Fields>>

/** For editors. */
export const WrittenRecordingSettings = z.union([Mode, Fields])

export const recordingDefaults: RecordingSettings = Fields.parse({})

export const recordingHelp = 'Which terminals are recorded (docs/recordings.md).'

export function readRecordingSettings(value: YamlValue): ReadSettings<RecordingSettings> {
  const plain = plainYaml(value) ?? {}
  return settingsOrFault((typeof plain === 'string' ? RecordingSettings : Fields).safeParse(plain), value)
}

/**
 * The settings of terminal-agent by its own names, for users who copy their lines into `config.yaml`: our name for
 * each. Null: its value is checked and changes nothing, because there is nothing here for it to change.
 */
export const terminalAgentSettings = {
  'terminalAgent.port': 'httpPort',
  'terminalAgent.maxBufferSize': 'logBytes',
  'terminalAgent.autoRegister': 'portFile',
  'terminalAgent.logLevel': null,
} as const

type TerminalAgentSetting = keyof typeof terminalAgentSettings

export const LogLevel = z.enum(['debug', 'info', 'warn', 'error'])

export function isTerminalAgentSetting(name: string): name is TerminalAgentSetting {
  return Object.hasOwn(terminalAgentSettings, name)
}

/** The prefix key of `agentpty attach`: a letter with ctrl, but none that terminals need themselves. */
export const prefixPattern = /^ctrl\+[a-gklnopqrstuvwxyz\]\\^_]$/

export const prefixHint = 'A letter with ctrl, except ctrl+h, i, j, m; or ctrl+], ctrl+\\, ctrl+^, ctrl+_'

export const prefixDefault = 'ctrl+]'
