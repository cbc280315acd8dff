/** `recording:` in config.yaml: which terminals are recorded, and how much of that is kept. */

import * as z from 'zod'
import {
  recordingAgeDaysDefault,
  recordingFileBytesDefault,
  recordingFileBytesMax,
  recordingsBytesDefault,
  recordingsBytesMax,
} from '../recording/recording-limits.ts'
import { plainYaml, type YamlFault, type YamlValue, yamlLineAt } from './yaml-text.ts'

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

export const recordingHelp = 'Which terminals are recorded: see docs/recordings.md.'

export type ReadRecording =
  | { readonly settings: RecordingSettings; readonly fault: null }
  | { readonly settings: null; readonly fault: Pick<YamlFault, 'line' | 'what'> }

export function readRecordingSettings(value: YamlValue): ReadRecording {
  const plain = plainYaml(value) ?? {}
  const parsed = (typeof plain === 'string' ? RecordingSettings : Fields).safeParse(plain)
  const [issue] = parsed.error?.issues ?? []
  if (parsed.success) return { settings: parsed.data, fault: null }
  const path = (issue?.path ?? []).map(String)
  const what = `${path.length === 0 ? '' : `${path.join('.')}: `}${issue?.message ?? 'no value'}`
  return { settings: null, fault: { line: yamlLineAt(value, path), what } }
}
