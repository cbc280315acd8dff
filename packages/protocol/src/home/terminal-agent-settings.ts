/**
 * The settings of terminal-agent by its own names, for users who copy their lines into `config.yaml`: our name for
 * each. Null: its value is checked and changes nothing, because there is nothing here for it to change.
 */

import * as z from 'zod'

export const terminalAgentSettings = {
  'terminalAgent.port': 'httpPort',
  'terminalAgent.maxBufferSize': 'logBytes',
  'terminalAgent.autoRegister': 'portFile',
  'terminalAgent.logLevel': null,
} as const

export type TerminalAgentSetting = keyof typeof terminalAgentSettings

export const LogLevel = z.enum(['debug', 'info', 'warn', 'error'])

export function isTerminalAgentSetting(name: string): name is TerminalAgentSetting {
  return Object.hasOwn(terminalAgentSettings, name)
}
