/** An adapter that starts its program with its hooks: in its words, or in a file of the instance's own that a variable names. */

import { existsSync } from 'node:fs'
import { TermError } from '@agentpty/protocol'
import {
  type Adapter,
  type AgentStore,
  type HookCommands,
  type HookWay,
  hookMoments,
  hookSettings,
  resolveHook,
} from '@agentpty/protocol/agents'

export interface Hooking {
  readonly store: Pick<AgentStore, 'saveSettings'>
  /** How a command line starts this agentpty. */
  readonly ownCommand: string
}

/** `env`: what its program would have. Errors: `invalid_input` where something else stands in their place. */
export function withHooks(
  adapter: Adapter,
  env: Readonly<Record<string, string>>,
  { store, ownCommand }: Hooking,
): Adapter {
  const { hookWay: way, hooks } = adapter
  const isAny = hookMoments.some((moment) => hooks[moment] !== null)
  if (!isAny) return adapter
  if (way === null) throw unknownWay(adapter)
  const settings = hookSettings(way, resolved(hooks, ownCommand))
  const [first] = settings
  if (first === undefined) return adapter
  if (way.by === 'flag') {
    // A flag with all of the settings counts once; one for each event is meant to be repeated.
    if (way.wrapper.includes('{{events}}') && adapter.command.includes(way.name)) throw taken(adapter, way.name)
    return { ...adapter, command: [...adapter.command, ...settings.flatMap((one) => [way.name, one])] }
  }
  const place = occupied(way, { ...env, ...adapter.env })
  if (place !== null) throw taken(adapter, place)
  const path = store.saveSettings(adapter.name, first)
  return path === null ? adapter : { ...adapter, env: { ...adapter.env, [way.name]: path } }
}

function resolved(hooks: HookCommands, ownCommand: string): HookCommands {
  const resolve = (command: string | null) => (command === null ? null : resolveHook(command, ownCommand))
  return { start: resolve(hooks.start), check: resolve(hooks.check), end: resolve(hooks.end) }
}

/** What would not be read any more; null where nothing would. */
function occupied({ name, replaces }: HookWay, env: Readonly<Record<string, string>>): string | null {
  if (env[name] !== undefined) return name
  return replaces !== null && existsSync(replaces) ? replaces : null
}

function unknownWay({ name }: Adapter): TermError {
  return new TermError(
    'invalid_input',
    `Nobody knows how the agent ${name} is told of its hooks.`,
    `Set agents.${name}.hook_settings_flag in config.yaml, or hook_delivery: none.`,
  )
}

function taken({ name }: Adapter, place: string): TermError {
  return new TermError(
    'invalid_input',
    `The hooks of the agent ${name} have no place: ${place} is in use already.`,
    `Write them there yourself, and set agents.${name}.hook_delivery: none in config.yaml.`,
  )
}
