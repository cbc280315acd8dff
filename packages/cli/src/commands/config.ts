/** `agentpty config`: the settings, where each value comes from, and what may be set. */

import { invalidInput } from '@agentpty/protocol'
import {
  type ConfigSetting,
  configDefaults,
  configJsonSchema,
  explainConfig,
  isSectionName,
} from '@agentpty/protocol/home'
import { type Command, type CommandCall, exitCode } from '../command.ts'
import { table } from '../format-tables.ts'

const actions = ['explain', 'path', 'schema', 'example'] as const

export const showConfig: Command = {
  name: 'config',
  usage: actions.join('|'),
  summary: 'show the settings and where each comes from',
  group: 'agentpty',
  words: [0, 1],
  choices: actions,
  notes: [
    'The daemon reads the file when it starts. After a change: agentpty stop; the next command starts a new daemon.',
    'An environment variable such as AGENTPTY_LOG_BYTES overrides the file.',
  ],
  list: {
    title: 'Settings',
    rows: explainConfig({}, null).map(({ key, help }) => [
      key,
      isSectionName(key) ? help : `${help} Default: ${configDefaults[key] === '' ? 'none' : configDefaults[key]}`,
    ]),
  },
  examples: [
    'agentpty config',
    'agentpty config example > "$(agentpty config path)"',
    'agentpty config schema > agentpty.schema.json',
  ],
  run: async (call) => {
    const [action = 'explain'] = call.words
    const known = actions.find((one) => one === action)
    if (known === undefined) throw invalidInput(`config ${action}: no such thing.`, `Use one of: ${actions.join(', ')}`)
    await call.options.print(await rendered(known, call))
    return exitCode.ok
  },
}

async function rendered(action: (typeof actions)[number], { options, json }: CommandCall): Promise<string> {
  if (action === 'path') return `${options.configPath}\n`
  if (action === 'schema') return `${JSON.stringify(configJsonSchema(), null, 2)}\n`
  const settings = await options.explainConfig()
  if (action === 'example') return example(settings)
  if (json) return `${JSON.stringify({ settings })}\n`
  return table(settings.map(({ key, value, origin, help }) => [key, shown(value), origin, help]))
}

/** Shows the keys of a setting that is more than a single value. */
function shown(value: ConfigSetting['value']): string {
  return typeof value === 'object' && value !== null ? Object.keys(value).join(', ') : String(value)
}

/** All settings with their defaults, commented out. */
function example(settings: readonly ConfigSetting[]): string {
  const entries = settings.map(({ key, help }) =>
    isSectionName(key)
      ? `# ${help}\n${exampleSections[key]}`
      : `# ${help}\n# ${key}: ${JSON.stringify(configDefaults[key])}\n`,
  )
  return `# agentpty. The daemon reads this when it starts; check it with: agentpty config\n\n${entries.join('\n')}`
}

const exampleSections = {
  gym: `# gym:
#   openenv: on
#   swerex:
#     environment:
#       files: /home/me/project
#     environmentsMax: 4
`,
  recording: `# recording:
#   mode: on               # off, on or onFailure
#   maxBytes: 33554432
#   totalBytes: 1073741824
#   maxAgeDays: 30
#   input: false
`,
  notify: `# notify:
#   command: [notify-send, agentpty, something waits for you]
#   webhook: https://example.com/hook
#   secret: whsec_…
#   after: 10
`,
  agents: `# agents:
#   claude:
#     default_model: opus
#   reviewer:
#     command: codex
#     description: Looks for defects, changes nothing
#     args: [--no-daemon, --sandbox, read-only]
`,
  policy: `# policy:
#   profile: standard             # restricted, standard, trusted or off
#   deny: [docker push, npm publish]
#   ask: [git push]
#   allow: ['npm install *']
#   paths:
#     deny: [.env, ~/notes/]
`,
} as const
