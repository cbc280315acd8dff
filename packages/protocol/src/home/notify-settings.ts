/** `notify:` in config.yaml: who is told that something waits for a person. */

import * as z from 'zod'
import { plainYaml, type YamlFault, type YamlValue, yamlLineAt } from './yaml-text.ts'

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
    .describe('An address that gets the message by POST, without what stands on screens.'),
  secret: z
    .string()
    .min(16)
    .max(1_000)
    .optional()
    .describe('What messages to the address are signed with: `whsec_` and base64, or any text.'),
  after: z.number().min(0).max(86_400).default(10).describe('After how many seconds somebody is told.'),
})
export type NotifySettings = Readonly<z.output<typeof NotifySettings>>

export const notifyHelp = 'Who is told that something waits for a person: see docs/notifications.md.'

export type ReadNotify =
  | { readonly settings: NotifySettings; readonly fault: null }
  | { readonly settings: null; readonly fault: Pick<YamlFault, 'line' | 'what'> }

export function readNotifySettings(value: YamlValue): ReadNotify {
  const parsed = NotifySettings.safeParse(plainYaml(value) ?? {})
  const [issue] = parsed.error?.issues ?? []
  if (parsed.success) return { settings: parsed.data, fault: null }
  const path = (issue?.path ?? []).map(String)
  const what = `${path.length === 0 ? '' : `${path.join('.')}: `}${issue?.message ?? 'no value'}`
  return { settings: null, fault: { line: yamlLineAt(value, path), what } }
}
