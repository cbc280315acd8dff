/** The settings of `config.yaml` and their environment variables, which take precedence. A wrong value is refused, never guessed. */

import * as z from 'zod'
import type { Adapter } from '../agents/adapter.ts'
import { type AgentsSettings, adaptersFrom, agentsJsonSchema, readAgentSettings } from '../agents/agent-settings.ts'
import { type SetTreeLimits, type TreeLimits, treeLimitsDefault } from '../agents/tree-limits.ts'
import { ProgramText } from '../call/terminal-fields.ts'
import { defined } from '../collections.ts'
import { invalidInput } from '../errors.ts'
import {
  columnsMax,
  exitedKeptMsDefault,
  keptSessionsMax,
  logBytesDefault,
  logBytesMax,
  logBytesMin,
  logBytesTotalDefault,
  logBytesTotalMax,
  rowsMax,
  sessionsMax,
} from '../limits.ts'
import { inputJsonSchema } from '../mcp/tool.ts'
import { signInCodeMsDefault, signInCodeMsMax, signInCodeMsMin } from '../page/page-messages.ts'
import { PolicySettings } from '../policy/rules.ts'
import { readWrittenPolicy } from '../policy/written-policy.ts'
import { variableNamesCharactersMax } from '../secrets.ts'
import type { JsonObject } from '../wire/line-wire.ts'
import {
  type ConfigFile,
  type FileEntry,
  isSectionName,
  parseConfigFile,
  plainYaml,
  type SectionName,
  sectionNames,
  type YamlEntry,
  yamlLineAt,
} from './config-file.ts'
import { explain, explainNotify, gymSection, recordingSection } from './config-sections.ts'
import { type GymSettings, gymHelp, WrittenGymSettings } from './gym-settings.ts'
import {
  isTerminalAgentSetting,
  LogLevel,
  NotifySettings,
  notifyHelp,
  prefixDefault,
  prefixHint,
  prefixPattern,
  type RecordingSettings,
  recordingHelp,
  terminalAgentSettings,
  WrittenRecordingSettings,
} from './settings.ts'

const whole = (min: number, max: number) => z.number().int().min(min).max(max)

const Names = z
  .string()
  .max(variableNamesCharactersMax)
  .regex(/^[\w*]*(?:\s*,\s*[\w*]+)*$/, 'Names separated by commas, as in AWS_*, DEPLOY_CODE.')

const HostNames = z
  .string()
  .max(1_000)
  .regex(/^[\w.:-]*(?:\s*,\s*[\w.:-]+)*$/, 'Names separated by commas, as in box.example.ts.net.')

const Settings = z.strictObject({
  logBytes: whole(logBytesMin, logBytesMax).describe('How many bytes of output each terminal keeps.'),
  logBytesTotal: whole(logBytesMin, logBytesTotalMax).describe(
    'How many bytes of output all terminals keep together. Near this limit new terminals keep less.',
  ),
  sessionsMax: whole(1, keptSessionsMax).describe('How many terminals may be open at the same time.'),
  exitedKeptMs: whole(0, 30 * 86_400_000).describe(
    'How long a terminal stays readable after its program has ended, in milliseconds.',
  ),
  endedClientKeptMs: whole(60_000, 365 * 86_400_000)
    .nullable()
    .describe(
      'How long a terminal stays after its MCP client has ended, in milliseconds. Working agents and terminals that a person uses stay. null: forever.',
    ),
  shell: ProgramText.min(1).nullable().describe('The shell of new terminals. null: $SHELL of the caller.'),
  cols: whole(2, columnsMax).describe('Columns of new terminals.'),
  rows: whole(1, rowsMax).describe('Rows of new terminals.'),
  httpPort: whole(0, 65_535)
    .nullable()
    .describe(
      'The port for the page and MCP over HTTP on 127.0.0.1. If it is taken, another one is used. 0: any port. null: no HTTP.',
    ),
  httpNames: HostNames.describe(
    'Host names of your own HTTPS proxy on this machine for the page, separated by commas, with the port if the address has one.',
  ),
  pushHosts: HostNames.describe(
    'Private hosts of your own push service, separated by commas, with the port if the address has one. On 127.0.0.1 HTTP is allowed.',
  ),
  pushContact: z
    .string()
    .max(200)
    .regex(/^(?:mailto:\S+@\S+|https:\/\/\S+)$/, 'mailto: and an address, or a page with https://.')
    .describe(
      'The contact that push services receive with each message: `mailto:` and an address, or the address of a page.',
    ),
  signInCodeMs: whole(signInCodeMsMin, signInCodeMsMax).describe(
    'How long the code of `agentpty open` is valid, in milliseconds.',
  ),
  attachPrefix: z
    .string()
    .regex(prefixPattern, prefixHint)
    .describe('The key that comes before the keys of `agentpty attach`.'),
  removedVariables: Names.describe(
    'Environment variables to remove for programs in terminals, separated by commas. * matches any characters.',
  ),
  maskedVariables: Names.describe(
    'Environment variables whose values are masked for models, in addition to names such as …_TOKEN and …_KEY, separated by commas.',
  ),
  portFile: z
    .boolean()
    .nullable()
    .describe(
      'Whether the files ~/.terminal-agent-port and ~/.copilot-terminal-bridge/server.json announce the port. null: unless AGENTPTY_HOME is set.',
    ),
})

export type Config = Readonly<z.infer<typeof Settings>>
export type ConfigKey = keyof Config

export const configDefaults: Config = {
  logBytes: logBytesDefault,
  logBytesTotal: logBytesTotalDefault,
  sessionsMax,
  exitedKeptMs: exitedKeptMsDefault,
  endedClientKeptMs: null,
  shell: null,
  cols: 120,
  rows: 30,
  httpPort: 17_580,
  httpNames: '',
  pushHosts: '',
  pushContact: 'https://github.com/agentpty/agentpty',
  signInCodeMs: signInCodeMsDefault,
  attachPrefix: prefixDefault,
  removedVariables: '',
  maskedVariables: '',
  portFile: null,
}

export type ConfigValue = string | number | boolean | null

export interface ConfigSetting {
  readonly key: ConfigKey | SectionName
  /** Null for what cannot be set by one. */
  readonly variable: string | null
  readonly value:
    | ConfigValue
    | PolicySettings
    | AgentsSettings
    | (AgentsSettings & { readonly limits: TreeLimits })
    | NotifySettings
    | RecordingSettings
    | GymSettings
  /** `default`, the variable, or the file and its line. */
  readonly origin: string
  readonly help: string
}

type Environment = Readonly<Record<string, string | undefined>>

export const configKeys = Object.keys(configDefaults) as readonly ConfigKey[]

/** Errors: `invalid_input` that names the variable, or the file and line, and what is allowed. */
export function readConfig(env: Environment, file: ConfigFile | null): Config {
  const settings = explainConfig(env, file).filter(({ key }) => !isSectionName(key))
  return Object.fromEntries(settings.map(({ key, value }) => [key, value])) as unknown as Config
}

/** Every setting with where its value comes from. Errors: as {@link readConfig}. */
export function explainConfig(env: Environment, file: ConfigFile | null): readonly ConfigSetting[] {
  const { settings, sections } = file === null ? { settings: null, sections: null } : parseConfigFile(file)
  const entries = settings === null ? new Map<ConfigKey, NamedEntry>() : namedEntries(settings, file?.path ?? '')
  const rows = configKeys.map((key): ConfigSetting => {
    const variable = variableOf(key)
    const fromEnvironment = env[variable]
    const entry = entries.get(key)
    const help = Settings.shape[key].description ?? ''
    if (fromEnvironment)
      return {
        key,
        variable,
        value: check(key, fromText(key, fromEnvironment), `${variable}="${fromEnvironment}"`),
        origin: variable,
        help,
      }
    if (entry === undefined) return { key, variable, value: configDefaults[key], origin: 'default', help }
    const origin = `${file?.path}:${entry.line}`
    return { key, variable, value: check(key, entry.value, `${origin}: ${entry.name}`), origin, help }
  })
  const path = file?.path ?? ''
  return [
    ...rows,
    explainPolicy(sections?.get('policy') ?? null, path),
    explainAgents(sections?.get('agents') ?? null, path),
    explainNotify(sections?.get('notify') ?? null, path),
    explain(recordingSection, sections?.get('recording') ?? null, path),
    explain(gymSection, sections?.get('gym') ?? null, path),
  ]
}

export const policyHelp =
  'Rules on what agents may run, read, write and reach (docs/policy.md). A change takes effect at once.'

/** A variable cannot set it: programs hand theirs on to those that they start. */
function explainPolicy(entry: YamlEntry | null, path: string): ConfigSetting {
  const row = { key: 'policy', variable: null, help: policyHelp } as const
  if (entry === null) return { ...row, value: null, origin: 'default' }
  const [fault] = readWrittenPolicy(entry.value).faults
  if (fault !== undefined) throw invalidInput(`${path}:${fault.line}: policy: ${fault.what}.`, fault.advice)
  const value = PolicySettings.parse(plainYaml(entry.value) ?? {})
  return { ...row, value, origin: `${path}:${entry.line}` }
}

export const agentsHelp = 'Agents that you can start by name (docs/agents.md). Known agents need no entry.'

function explainAgents(entry: YamlEntry | null, path: string): ConfigSetting {
  const row = { key: 'agents', variable: null, help: agentsHelp } as const
  if (entry === null) return { ...row, value: null, origin: 'default' }
  const { settings, limits, fault } = readAgentSettings(entry.value)
  if (fault !== null) throw invalidInput(`${path}:${fault.line}: agents: ${fault.what}.`, fault.advice)
  const value = Object.keys(limits).length === 0 ? settings : { ...settings, limits }
  return { ...row, value, origin: `${path}:${entry.line}` }
}

/** The adapters by a file. Errors: `invalid_input`. */
export function adaptersIn(file: ConfigFile | null): readonly Adapter[] {
  return explainAdapters(file).map(({ adapter }) => adapter)
}

/** `agents.limits` by a file. Errors: `invalid_input`. */
export function treeLimitsIn(file: ConfigFile | null): SetTreeLimits {
  const entry = file === null ? null : (parseConfigFile(file).sections.get('agents') ?? null)
  const { limits = {} } = (explainAgents(entry, file?.path ?? '').value ?? {}) as { readonly limits?: TreeLimits }
  return { ...treeLimitsDefault, ...defined(limits) }
}

export interface ExplainedAdapter {
  readonly adapter: Adapter
  /** The file and the line of its entry; null for a default. */
  readonly origin: string | null
}

/** The adapters with where their settings come from. Errors: `invalid_input`. */
export function explainAdapters(file: ConfigFile | null): readonly ExplainedAdapter[] {
  const entry = file === null ? null : (parseConfigFile(file).sections.get('agents') ?? null)
  const { limits: _, ...settings } = (explainAgents(entry, file?.path ?? '').value ?? {}) as AgentsSettings
  const originOf = (name: string) =>
    entry === null || settings[name] === undefined ? null : `${file?.path}:${yamlLineAt(entry.value, [name])}`
  return adaptersFrom(settings).map((adapter) => ({ adapter, origin: originOf(adapter.name) }))
}

interface NamedEntry extends FileEntry {
  readonly name: string
}

/** The settings of the file, by our names or by those of terminal-agent. */
function namedEntries(settings: ReadonlyMap<string, FileEntry>, path: string): ReadonlyMap<ConfigKey, NamedEntry> {
  const entries = new Map<ConfigKey, NamedEntry>()
  for (const [name, entry] of settings) {
    const where = `${path}:${entry.line}`
    const key = keyOf(name, where)
    if (key === null) checkLogLevel(entry.value, `${where}: ${name}`)
    else {
      const other = entries.get(key)
      if (other !== undefined)
        throw invalidInput(
          `${where}: ${name} and ${other.name} of line ${other.line} are the same setting.`,
          'Remove one of the two lines.',
        )
      entries.set(key, { ...entry, name })
    }
  }
  return entries
}

/** Null for a known name that changes nothing. Errors: `invalid_input`. */
function keyOf(name: string, where: string): ConfigKey | null {
  if (isTerminalAgentSetting(name)) return terminalAgentSettings[name]
  const key = configKeys.find((one) => one === name)
  if (key !== undefined) return key
  const names = name.startsWith('terminalAgent') ? Object.keys(terminalAgentSettings) : configKeys
  throw invalidInput(
    `${where}: there is no setting "${name}".`,
    `There are: ${[...names, ...sectionNames].join(', ')}.`,
  )
}

function checkLogLevel(value: unknown, where: string): void {
  if (LogLevel.safeParse(value).success) return
  const hint = `One of: ${LogLevel.options.join(', ')}. It changes nothing here: the log has no levels.`
  throw invalidInput(`${where}: ${JSON.stringify(value)} is no level.`, hint)
}

export function configJsonSchema(): JsonObject {
  const { properties, ...schema } = inputJsonSchema(Settings.partial())
  const withDefaults = Object.entries(properties as Readonly<Record<string, JsonObject>>).map(([key, field]) => [
    key,
    { ...field, description: Settings.shape[key as ConfigKey].description, default: configDefaults[key as ConfigKey] },
  ])
  const patternProperties = Object.fromEntries(
    Object.entries(terminalAgentSettings).map(([name, key]) => [
      `^${name.replace('.', '\\.')}$`,
      { description: key === null ? 'Changes nothing here.' : `Same as ${key}.` },
    ]),
  )
  return {
    ...schema,
    title: 'agentpty config.yaml',
    properties: {
      ...Object.fromEntries(withDefaults),
      policy: { ...inputJsonSchema(PolicySettings), description: policyHelp },
      agents: { ...agentsJsonSchema(), description: agentsHelp },
      notify: { ...inputJsonSchema(NotifySettings), description: notifyHelp },
      recording: { ...inputJsonSchema(WrittenRecordingSettings), description: recordingHelp },
      gym: { ...inputJsonSchema(WrittenGymSettings), description: gymHelp },
    },
    patternProperties,
  }
}

/** The variable of a setting: `logBytes` is AGENTPTY_LOG_BYTES. */
function variableOf(key: ConfigKey): string {
  return `AGENTPTY_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** Variables have no types. A text that is not a number or a boolean stays a text, and is refused as such. */
function fromText(key: ConfigKey, text: string): unknown {
  if (text === 'null') return null
  if (key === 'portFile') return text === 'true' || (text === 'false' ? false : text)
  const isNumber = typeof configDefaults[key] === 'number' || key === 'endedClientKeptMs'
  return isNumber && /^-?\d+$/.test(text) ? Number(text) : text
}

function check(key: ConfigKey, value: unknown, where: string): ConfigValue {
  const parsed = Settings.shape[key].safeParse(value)
  if (parsed.success) return parsed.data
  const problem = parsed.error.issues[0]?.message ?? 'no value'
  throw invalidInput(`${where}: ${problem}.`, `${Settings.shape[key].description} Default: ${configDefaults[key]}.`)
}
