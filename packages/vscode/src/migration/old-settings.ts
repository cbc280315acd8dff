/**
 * The settings of terminal-agent by their own names, for those who come from it. A daemon that this window starts gets what they say, where
 * config.yaml says nothing of the same. Those of a workspace do not count: a repository must not say how the daemon runs.
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

export interface Carried {
  readonly env: Readonly<Record<string, string>>
  /** What a person should know of those that are set: what becomes of each. */
  readonly notes: readonly string[]
}

type KnownSetting = Pick<ConfigSetting, 'key' | 'origin'>

/** Only those that the user has set. */
export function oldSettings(): OldSettings {
  const settings = vscode.workspace.getConfiguration('terminalAgent')
  const names = ['port', 'autoRegister', 'maxBufferSize', 'logLevel'] as const
  const set = names.map((name) => [name, settings.inspect(name)?.globalValue] as const)
  return Object.fromEntries(set.filter(([, value]) => value !== undefined))
}

/** By what the configuration says already. */
export function carriedBy(set: OldSettings, known: readonly KnownSetting[]): Carried {
  const env: Record<string, string> = {}
  const notes: string[] = []
  const carry = (name: keyof OldSettings, { key, variable, value }: Place) => {
    const origin = known.find((one) => one.key === key)?.origin ?? 'default'
    if (origin !== 'default') notes.push(`terminalAgent.${name} counts for nothing: ${key} stands in ${origin}.`)
    else env[variable] = value
  }
  const { port, autoRegister, maxBufferSize, logLevel } = set
  if (port !== undefined)
    if (isWhole(port) && port <= 65_535)
      carry('port', { key: 'httpPort', variable: 'AGENTPTY_HTTP_PORT', value: `${port}` })
    else notes.push(`terminalAgent.port is no port: ${JSON.stringify(port)}.`)
  if (maxBufferSize !== undefined)
    if (isWhole(maxBufferSize)) {
      const bytes = Math.min(logBytesMax, Math.max(logBytesMin, maxBufferSize))
      if (bytes !== maxBufferSize) notes.push(`terminalAgent.maxBufferSize is taken as ${bytes} bytes.`)
      carry('maxBufferSize', { key: 'logBytes', variable: 'AGENTPTY_LOG_BYTES', value: `${bytes}` })
    } else notes.push(`terminalAgent.maxBufferSize is no number of bytes: ${JSON.stringify(maxBufferSize)}.`)
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

/** For a daemon that is about to be started. Whoever has set none of them pays nothing for it. */
export async function carriedSettings(run: RunProgram, log: (line: string) => void): Promise<Carried['env']> {
  const set = oldSettings()
  if (Object.keys(set).length === 0) return {}
  const { settings } = await run(['config', '--json'])
  const { env, notes } = carriedBy(set, Array.isArray(settings) ? settings : [])
  for (const note of notes) log(note)
  for (const [name, value] of Object.entries(env)) log(`from terminal-agent’s settings: ${name}=${value}`)
  return env
}

/** What the daemon that runs does otherwise; null when nothing. Of the other settings it tells nothing. */
export function portWords(set: OldSettings, url: string | null): string | null {
  const { port } = set
  if (!isWhole(port) || port === 0 || url === null || Number(new URL(url).port) === port) return null
  return `terminalAgent.port is ${port}, and agentpty serves ${new URL(url).host}: it was started elsewhere, or the port is taken. To have it always: httpPort: ${port} in the file that “agentpty config path” names, then “Restart”.`
}
