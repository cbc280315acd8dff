/**
 * The settings of terminal-agent, for its former users. They apply to a daemon that this window starts, unless config.yaml sets the same.
 * Workspace settings are ignored: a repository must not configure the daemon.
 */

import { logBytesMax, logBytesMin } from '@agentpty/protocol'
import type { ConfigSetting } from '@agentpty/protocol/home'
import * as vscode from 'vscode'
import type { RunProgram } from '../link/run-program.ts'

export interface OldSettings {
  readonly port?: unknown
  readonly autoRegister?: unknown
  readonly maxBufferSize?: unknown
  readonly logLevel?: unknown
}

export interface AppliedSettings {
  readonly env: Readonly<Record<string, string>>
  /** Notes for the person about the effect of each setting. */
  readonly notes: readonly string[]
}

type KnownSetting = Pick<ConfigSetting, 'key' | 'origin'>

/** Returns only the settings that the user has set. */
export function oldSettings(): OldSettings {
  const settings = vscode.workspace.getConfiguration('terminalAgent')
  const names = ['port', 'autoRegister', 'maxBufferSize', 'logLevel'] as const
  const set = names.map((name) => [name, settings.inspect(name)?.globalValue] as const)
  return Object.fromEntries(set.filter(([, value]) => value !== undefined))
}

/** `known`: the settings of the configuration. */
export function applySettings(set: OldSettings, known: readonly KnownSetting[]): AppliedSettings {
  const env: Record<string, string> = {}
  const notes: string[] = []
  const carry = (name: keyof OldSettings, { key, variable, value }: Place) => {
    const origin = known.find((one) => one.key === key)?.origin ?? 'default'
    if (origin !== 'default') notes.push(`terminalAgent.${name} has no effect: ${key} is set in ${origin}.`)
    else env[variable] = value
  }
  const { port, autoRegister, maxBufferSize, logLevel } = set
  if (port !== undefined)
    if (isWhole(port) && port <= 65_535)
      carry('port', { key: 'httpPort', variable: 'AGENTPTY_HTTP_PORT', value: `${port}` })
    else notes.push(`terminalAgent.port is not a port: ${JSON.stringify(port)}.`)
  if (maxBufferSize !== undefined)
    if (isWhole(maxBufferSize)) {
      const bytes = Math.min(logBytesMax, Math.max(logBytesMin, maxBufferSize))
      if (bytes !== maxBufferSize) notes.push(`terminalAgent.maxBufferSize is taken as ${bytes} bytes.`)
      carry('maxBufferSize', { key: 'logBytes', variable: 'AGENTPTY_LOG_BYTES', value: `${bytes}` })
    } else notes.push(`terminalAgent.maxBufferSize is not a number of bytes: ${JSON.stringify(maxBufferSize)}.`)
  if (typeof autoRegister === 'boolean')
    carry('autoRegister', { key: 'portFile', variable: 'AGENTPTY_PORT_FILE', value: `${autoRegister}` })
  if (logLevel !== undefined)
    notes.push('terminalAgent.logLevel changes nothing: choose with “Developer: Set Log Level…”, agentpty.')
  return { env, notes }
}

interface Place {
  readonly key: ConfigSetting['key']
  readonly variable: string
  readonly value: string
}

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0

/** Returns the settings for a daemon about to be started. Runs nothing if none is set. */
export async function appliedSettings(run: RunProgram, log: (line: string) => void): Promise<AppliedSettings['env']> {
  const set = oldSettings()
  if (Object.keys(set).length === 0) return {}
  const { settings } = await run(['config', '--json'])
  const { env, notes } = applySettings(set, Array.isArray(settings) ? settings : [])
  for (const note of notes) log(note)
  for (const [name, value] of Object.entries(env)) log(`from terminal-agent’s settings: ${name}=${value}`)
  return env
}

/** Describes a difference of the running daemon; null if there is none. Other settings cannot be compared. */
export function portWords(set: OldSettings, url: string | null): string | null {
  const { port } = set
  if (!isWhole(port) || port === 0 || url === null || Number(new URL(url).port) === port) return null
  return `terminalAgent.port is ${port}, and agentpty serves ${new URL(url).host}: it was started elsewhere, or the port is taken. To have it always: httpPort: ${port} in the file that “agentpty config path” names, then “Restart”.`
}
