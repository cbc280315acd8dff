/**
 * Hooks: commands that an agent's program runs automatically, at its start, after each of its tool calls, and at the
 * end of a turn. They reach an agent in the middle of its turn. The way to set them is data for each program; nothing
 * is written into its user's own files.
 */

/** `start`: it begins. `check`: after each tool call. `end`: the end of a turn. */
export const hookMoments = ['start', 'check', 'end'] as const
export type HookMoment = (typeof hookMoments)[number]

/** The command of each; null: none. */
export type HookCommands = Readonly<Record<HookMoment, string | null>>

export const noHooks: HookCommands = { start: null, check: null, end: null }

/** The hooks of agentpty itself, by moment. */
export const ownHooks: HookCommands = {
  start: 'agentpty hook start --auto',
  check: 'agentpty hook check --auto',
  end: 'agentpty hook emit --auto',
}

export interface HookWay {
  /** `flag`: its settings follow this flag. `variable`: it names a file with them, of the instance's own. */
  readonly by: 'flag' | 'variable'
  readonly name: string
  /** A file that would not be read any more; null where there is none such. */
  readonly replaces: string | null
  /** The program's name for each moment; null: it has no such event. */
  readonly events: Readonly<Record<HookMoment, string | null>>
  /** The value of one event, with `{{command}}` in a string. */
  readonly entry: string
  /** The settings: with `{{events}}` those of all, else with `{{event}}` and `{{entry}}` those of one, once for each. */
  readonly wrapper: string
  /** How a hook hands over a text, with `{{context}}` and `{{event}}`. */
  readonly output: string
  /** In which field of what it reads at the end of a turn the answer stands; null: all of it is the answer. */
  readonly responseField: string | null
}

/** The settings that say so, each to follow the flag, or to be the file. */
export function hookSettings(way: HookWay, commands: HookCommands): readonly string[] {
  const events = hookMoments.flatMap((moment) => {
    const event = way.events[moment]
    const command = commands[moment]
    if (event === null || command === null) return []
    const line = `${command}${wordsFor(moment, command, { ...way, output: way.output.replaceAll('{{event}}', event) })}`
    return [{ event, entry: way.entry.replaceAll('{{command}}', inString(line)) }]
  })
  if (events.length === 0) return []
  if (!way.wrapper.includes('{{events}}'))
    return events.map(({ event, entry }) =>
      way.wrapper.replaceAll('{{event}}', event).replaceAll('{{entry}}', () => entry),
    )
  const all = events.map(({ event, entry }) => `${JSON.stringify(event)}:${entry}`).join(',')
  return [way.wrapper.replaceAll('{{events}}', () => `{${all}}`)]
}

/** @example renderHook('{"text":"{{context}}"}', 'say "hi"') // '{"text":"say \"hi\""}' */
export function renderHook(template: string, context: string): string {
  return template.replaceAll(/"\{\{context\}\}"|\{\{context\}\}/g, (found) =>
    found.startsWith('"') ? JSON.stringify(context) : context,
  )
}

const own = /^(?:agentpty|termtile) hook (start|check|emit)\b/

/** The command as this machine runs it: `agentpty` is this agentpty, and `termtile` too. */
export function resolveHook(command: string, agentpty: string): string {
  return own.test(command) ? command.replace(/^\w+/, () => agentpty) : command
}

function wordsFor(moment: HookMoment, command: string, { output, responseField }: HookWay): string {
  if (!/ hook (?:start|check|emit)\b/.test(command)) return ''
  if (moment !== 'end') return output === '{{context}}' ? '' : ` --as ${inShell(output)}`
  return responseField === null ? '' : ` --field ${inShell(responseField)}`
}

const inString = (text: string) => JSON.stringify(text).slice(1, -1)
const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

interface Written<Value> {
  readonly on_start?: Value | undefined
  readonly on_check?: Value | undefined
  readonly on_end?: Value | undefined
}

/** Returns the hooks from the configuration, with the known ones for those that it leaves out. */
export function hooksFrom(
  { on_start: start, on_check: check, on_end: end }: Written<string> = {},
  known: HookCommands,
): HookCommands {
  return { start: start ?? known.start, check: check ?? known.check, end: end ?? known.end }
}

/** The settings of programs that take their hooks as JSON. */
export const jsonHooks = {
  entry: '[{"matcher":"*","hooks":[{"type":"command","command":"{{command}}"}]}]',
  output: '{"hookSpecificOutput":{"hookEventName":"{{event}}","additionalContext":"{{context}}"}}',
  wrapper: '{"hooks":{{events}}}',
  replaces: null,
} as const

/** Defaults for programs without hooks in the roster. */
export const anyHookWay: HookWay = {
  by: 'flag',
  name: '--settings',
  ...jsonHooks,
  events: { start: 'SessionStart', check: 'PostToolUse', end: 'Stop' },
  output: '{{context}}',
  responseField: null,
}
