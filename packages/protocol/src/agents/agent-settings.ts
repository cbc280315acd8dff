/** `agents:` in config.yaml: the settings of agents, in termtile’s words, and the adapters that result. */

import * as z from 'zod'
import { ProgramText } from '../call/terminal-fields.ts'
import { plainYaml, type YamlFault, type YamlValue, yamlLineAt } from '../home/config-file.ts'
import { inputJsonSchema } from '../mcp/tool.ts'
import { isObject, type JsonObject } from '../wire/line-wire.ts'
import { type Adapter, adapterOfCommand, type FirstInstruction, permissionModes } from './adapter.ts'
import { anyHookWay, type HookCommands, type HookWay, hooksFrom, noHooks, ownHooks } from './hooks.ts'
import { knownAdapters } from './roster.ts'
import { agentSettingsMax, TreeLimits } from './tree-limits.ts'

const Words = z.string().min(1).max(10_000)
const Pattern = z.string().min(1).max(200)
const Template = z.string().min(1).max(2_000)
const HookMoments = <Field extends z.ZodType>(field: Field) =>
  z.strictObject({ on_start: field.optional(), on_check: field.optional(), on_end: field.optional() })
/** A key of termtile for what agentpty does not do; why not, and what to do. */
const refusedKey = (why: string) =>
  z.undefined({ error: why }).optional().describe('Refused: agentpty writes no file of a project.')
const noProjectFile =
  'agentpty writes no file of a project. Leave it out: hooks are given by a flag or a variable, where the program has one; or write them there yourself, with hook_delivery: none.'

const AgentSettings = z.strictObject({
  command: ProgramText.min(1).optional().describe('The program. Without it that of the known agent of this name.'),
  args: z.array(Words).max(100).optional().describe('What it always gets, in place of the known agent’s.'),
  description: z.string().max(1_000).optional().describe('What it is for; shown with its name.'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables to add.'),
  spawn_mode: z
    .enum(['window', 'pane'])
    .optional()
    .describe(
      '`window`: the user’s shell starts it, with its start-up files. `pane`: directly. Without it: `window` by termtile’s door, else `pane`.',
    ),
  ready_pattern: Pattern.optional().describe('A text on its screen from which on it can be instructed.'),
  idle_pattern: Pattern.optional().describe(
    'How a short line near the end of its screen begins when it is idle. The line is enough, also while the program works.',
  ),
  response_fence: z.boolean().optional().describe('Ask for its answers between fences.'),
  output_mode: z
    .enum(['hooks', 'tags', 'terminal'])
    .optional()
    .describe(
      '`hooks`: agentpty’s own hooks, all three. `tags`: as `response_fence: true`. `terminal`: as `response_fence: false`.',
    ),
  hooks: HookMoments(Words)
    .optional()
    .describe('The commands that it runs when it begins, after each tool call and at the end of a turn. Default none.'),
  hook_delivery: z
    .enum(['cli_flag', 'none'], {
      error: ({ input }) => (input === 'project_file' ? noProjectFile : 'one of: cli_flag, none'),
    })
    .optional()
    .describe('`cli_flag`: as its program takes them, which is the default. `none`: they are installed already.'),
  hook_settings_flag: Words.optional().describe('The flag before their settings.'),
  hook_settings_dir: refusedKey(noProjectFile),
  hook_settings_file: refusedKey(noProjectFile),
  hook_format: z.literal('json').optional().describe('Only `json`.'),
  hook_events: HookMoments(Words).optional().describe('How its program calls the three moments.'),
  hook_entry: Template.optional().describe('The value of one event, with `{{command}}`.'),
  hook_wrapper: Template.optional().describe('The settings around them, with `{{events}}`.'),
  hook_output: Template.optional().describe('How a hook hands over a text: with `{{context}}`.'),
  hook_response_field: Words.optional().describe(
    'In which field of what its program says at the end of a turn the answer stands.',
  ),
  prompt_as_arg: z.boolean().optional().describe('The first instruction is its last argument.'),
  prompt_flag: Words.optional().describe('The first instruction follows this flag.'),
  pipe_task: z.boolean().optional().describe('The first instruction is its standard input, which ends there.'),
  models: z.array(Words).max(100).optional().describe('Those that may be chosen; any where none are named.'),
  default_model: Words.optional().describe('The one that is chosen where none is named.'),
  model_flag: Words.optional().describe('The flag before the name of a model.'),
  permissions: z
    .enum(permissionModes)
    .optional()
    .describe(
      '`ask`: its own checks as they are. `edits`: it may change files. `all`: it asks for nothing. Default ask.',
    ),
})
type AgentSettings = z.infer<typeof AgentSettings>

export const AgentsSettings = z.record(
  z.string().regex(/^[\w.-]{1,48}$/, 'a name of letters, digits, "_", "." and "-"'),
  AgentSettings,
)
export type AgentsSettings = z.infer<typeof AgentsSettings>

/** `limits` is no agent's name. */
const ReservedSettings = z.strictObject({ limits: TreeLimits.optional() })

/** The whole of `agents:`, for editors. */
export function agentsJsonSchema(): JsonObject {
  const { properties } = inputJsonSchema(ReservedSettings)
  const limits = (properties as Readonly<Record<'limits', JsonObject>>).limits
  return { ...inputJsonSchema(AgentsSettings), properties: { limits: { ...limits, description: limitsHelp } } }
}

const limitsHelp =
  'Limits of what programs in terminals open, for each terminal that a person has opened and all below it.'

export interface ReadAgents {
  /** All of it, where nothing is wrong; else nothing. */
  readonly settings: AgentsSettings
  /** The limits that are set; the others have their defaults. */
  readonly limits: TreeLimits
  readonly fault: (YamlFault & { readonly advice: string }) | null
}

const advice = 'See the keys with: agentpty config schema'

export function readAgentSettings(value: YamlValue): ReadAgents {
  const whole: unknown = plainYaml(value) ?? {}
  const { limits: written, ...named } = isObject(whole) ? whole : {}
  const plain = isObject(whole) ? named : whole
  const reserved = ReservedSettings.safeParse(written === undefined ? {} : { limits: written })
  const parsed = AgentsSettings.safeParse(plain)
  const [issue] = [...(reserved.error?.issues ?? []), ...(parsed.error?.issues ?? [])]
  if (issue !== undefined) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const what = `${[...issue.path, ...unknown].join('.')}: ${unknown.length > 0 ? 'there is no such key' : messageOf(issue)}`
    return { settings: {}, limits: {}, fault: { line: yamlLineAt(value, [...issue.path, ...unknown]), what, advice } }
  }
  const settings = parsed.data ?? {}
  const tooMany = Object.keys(settings).length > agentSettingsMax
  const fault = tooMany ? { line: value.line, what: `more than ${agentSettingsMax} agents`, advice } : null
  return { settings: tooMany ? {} : settings, limits: reserved.data?.limits ?? {}, fault }
}

function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
}

/** Known agents as the settings change them, and those that they add, in this order. */
export function adaptersFrom(settings: AgentsSettings): readonly Adapter[] {
  const changed = knownAdapters.map((known) => {
    const own = settings[known.name]
    return own === undefined
      ? known
      : withSettings(own.command === undefined ? known : likeCommand(known.name, own.command), own)
  })
  const added = Object.entries(settings)
    .filter(([name]) => !knownAdapters.some((known) => known.name === name))
    .map(([name, own]) => withSettings(likeCommand(name, own.command ?? name), own))
  return [...changed, ...added]
}

/** Applies the data of a known program to the same program under another name. */
function likeCommand(name: string, command: string): Adapter {
  const program = command.slice(command.lastIndexOf('/') + 1)
  const known = knownAdapters.find((one) => one.command[0] === program)
  if (known === undefined) return adapterOfCommand(name, [command])
  return {
    ...known,
    name,
    title: name === known.name ? known.title : name,
    command: [command, ...known.command.slice(1)],
  }
}

function withSettings(adapter: Adapter, own: AgentSettings): Adapter {
  const [program = adapter.name, ...args] = adapter.command
  return {
    ...adapter,
    description: own.description ?? adapter.description,
    command: [program, ...(own.args ?? args)],
    env: { ...adapter.env, ...own.env },
    firstInstruction: firstInstructionOf(own) ?? adapter.firstInstruction,
    modelFlag: own.model_flag ?? adapter.modelFlag ?? (own.models === undefined ? null : '--model'),
    models: own.models ?? adapter.models,
    defaultModel: own.default_model ?? adapter.defaultModel,
    permissionMode: own.permissions ?? adapter.permissionMode,
    idlePattern: own.idle_pattern ?? adapter.idlePattern,
    readyPattern: own.ready_pattern ?? adapter.readyPattern,
    asksForAnswer: own.response_fence ?? fencesBy(own) ?? adapter.asksForAnswer,
    hooks: hooksOf(adapter, own),
    hookWay: hookWayOf(adapter, own),
    throughShell: own.spawn_mode === undefined ? adapter.throughShell : own.spawn_mode === 'window',
  }
}

function fencesBy({ output_mode: mode }: AgentSettings): boolean | null {
  return mode === undefined || mode === 'hooks' ? null : mode === 'tags'
}

function hooksOf({ hooks }: Adapter, own: AgentSettings): HookCommands {
  if (own.hook_delivery === 'none') return noHooks
  return hooksFrom(own.hooks, own.output_mode === 'hooks' ? ownHooks : hooks)
}

/** Returns how the agent gets its hooks; null where no way is known. */
function hookWayOf({ hookWay }: Adapter, own: AgentSettings): HookWay | null {
  const { hook_settings_flag: flag, hook_events: events } = own
  const known = hookWay ?? (flag === undefined ? null : anyHookWay)
  if (known === null) return null
  const { start, check, end } = known.events
  return {
    by: flag === undefined ? known.by : 'flag',
    name: flag ?? known.name,
    events: { start: events?.on_start ?? start, check: events?.on_check ?? check, end: events?.on_end ?? end },
    replaces: known.replaces,
    entry: own.hook_entry ?? known.entry,
    wrapper: own.hook_wrapper ?? known.wrapper,
    output: own.hook_output ?? known.output,
    responseField: own.hook_response_field ?? known.responseField,
  }
}

function firstInstructionOf({ prompt_as_arg, prompt_flag, pipe_task }: AgentSettings): FirstInstruction | null {
  if (pipe_task === true) return { by: 'stdin' }
  if (prompt_flag !== undefined) return { by: 'flag', flag: prompt_flag }
  return prompt_as_arg === true ? { by: 'argument' } : null
}
