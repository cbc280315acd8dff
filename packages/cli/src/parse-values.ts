import { resolve } from 'node:path'
import { type Clock, invalidInput, waitMsMax } from '@agentpty/protocol'
import { type GateSetting, gateSettings } from '@agentpty/protocol/effects'
import type { Sandbox } from '@agentpty/protocol/sandbox'
import { type Command, type FlagValues, textFlag, textsFlag } from './command.ts'

// Times as people give them: `30m`, `2h`, `7d`.

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** In milliseconds; null for anything else. */
export function durationMs(text: string): number | null {
  const [, count, unit = 's'] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * units[unit as keyof typeof units]
}

/** The time that `--since` names, in milliseconds since 1970. Errors: `invalid_input`. */
export function sinceIn(flags: FlagValues, { now }: { readonly now: () => number }): number | undefined {
  const given = textFlag(flags, 'since')
  if (given === undefined) return undefined
  const ago = durationMs(given)
  if (ago !== null) return now() - ago
  const time = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isFinite(time)) return time
  throw invalidInput(`--since ${given}: no time.`, 'For example: --since 2h, or --since 2026-05-01T12:00')
}

/** Errors: `invalid_input` for anything but a size. */
export function parseSize(text: string | undefined): { readonly cols?: number; readonly rows?: number } {
  if (text === undefined) return {}
  const [, cols, rows] = /^(\d{1,4})x(\d{1,4})$/.exec(text) ?? []
  if (cols !== undefined && rows !== undefined) return { cols: Number(cols), rows: Number(rows) }
  throw invalidInput(`"${text}" is no size.`, 'Columns and rows, for example: 120x40')
}

/** The end of a wait that may take several calls, because the length of one call is bounded. */
export class Deadline {
  readonly #clock: Pick<Clock, 'now'>
  readonly #at: number

  /** Without a time-out it takes as long as it takes. */
  constructor(clock: Pick<Clock, 'now'>, timeoutMs: number | undefined) {
    this.#clock = clock
    this.#at = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY)
  }

  get isPast(): boolean {
    return this.#clock.now() >= this.#at
  }

  /** How long the next call may wait. */
  nextMs(): number {
    return Math.ceil(Math.max(0, Math.min(waitMsMax, this.#at - this.#clock.now())))
  }
}

/** The gate of a terminal, as a flag. */
export const gateFlag: Command['flags'] = {
  gate: {
    type: 'string',
    value: 'off|journal|ask',
    help: 'report file changes by its programs, or ask you first (docs/effects.md)',
    choices: gateSettings,
  },
}

/** Errors: `invalid_input`. */
export function gateOf(flags: FlagValues): GateSetting | undefined {
  const given = textFlag(flags, 'gate')
  const setting = gateSettings.find((one) => one === given)
  if (given === undefined || setting !== undefined) return setting
  throw invalidInput(`--gate ${given}: no such gate.`, `One of: ${gateSettings.join(', ')}`)
}

/** The walls around a command, as flags. */
export const sandboxFlags: Command['flags'] = {
  sandbox: {
    type: 'boolean',
    help: 'run in a sandbox: only the working folder is writable, secrets are hidden, no network',
  },
  network: {
    type: 'string',
    value: 'off|on|HOST,...',
    help: 'run in a sandbox with this network: none, all, or these hosts',
  },
  writable: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    help: 'run in a sandbox in which this path is writable too; may be repeated',
  },
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
