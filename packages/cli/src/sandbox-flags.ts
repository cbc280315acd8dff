/** The walls around a command, as flags. */

import { resolve } from 'node:path'
import type { Sandbox } from '@agentpty/protocol/sandbox'
import { type Command, type FlagValues, textFlag, textsFlag } from './command.ts'

export const sandboxFlags: Command['flags'] = {
  sandbox: { type: 'boolean', help: 'in a sandbox: only its folder can be written, secrets are hidden, no network' },
  network: { type: 'string', value: 'off|on|HOST,...', help: 'in a sandbox that reaches all, or these hosts' },
  writable: { type: 'string', multiple: true, value: 'PATH', help: 'in a sandbox where this can be written too' },
}

/** Undefined: as it comes. */
export function sandboxOf(flags: FlagValues): Sandbox | undefined {
  const network = textFlag(flags, 'network')
  const writable = textsFlag(flags, 'writable').map((path) => resolve(path))
  const isWanted = flags['sandbox'] === true || network !== undefined || writable.length > 0
  if (!isWanted) return undefined
  if (network === undefined && writable.length === 0) return true
  const reach = network === 'on' || network === 'off' ? network : network?.split(',').map((host) => host.trim())
  return { ...(reach === undefined ? {} : { network: reach }), ...(writable.length === 0 ? {} : { writable }) }
}
