/**
 * How programs without settings find MCP over HTTP: files in the home folder, under the names that terminal-agent
 * introduced. One server at a time has them.
 */

import { join } from 'node:path'
import { parseObject } from '../wire/json-lines.ts'

/** A server, as its files describe it. */
export interface ServedAt {
  readonly port: number
  readonly pid: number
  readonly startedAt: string
  readonly version: string
}

export interface DiscoveryFile {
  readonly path: string
  readonly write: (served: ServedAt) => string
  /** The port in it; null when it has none. */
  readonly portIn: (text: string) => number | null
  /** The process that wrote it; null when it names none. */
  readonly pidIn: (text: string) => number | null
}

/** The state of one of the files. */
export interface DiscoveryState {
  readonly path: string
  /** `others`: another running server has it. */
  readonly kind: 'ours' | 'others' | 'failed'
  /** The port in it, or what went wrong. */
  readonly detail: string
}

export function discoveryFiles(home: string): readonly DiscoveryFile[] {
  return [
    {
      path: join(home, '.terminal-agent-port'),
      write: ({ port }) => String(port),
      portIn: (text) => (/^\s*\d{1,5}\s*$/.test(text) ? asPort(Number(text)) : null),
      pidIn: () => null,
    },
    {
      path: join(home, '.copilot-terminal-bridge', 'server.json'),
      write: ({ port, pid, startedAt, version }) => `${JSON.stringify({ port, pid, startedAt, version }, null, 2)}\n`,
      portIn: (text) => asPort(parseObject(text)?.['port']),
      pidIn: (text) => asPid(parseObject(text)?.['pid']),
    },
  ]
}

function asPort(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536 ? value : null
}

function asPid(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : null
}
