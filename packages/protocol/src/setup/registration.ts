/** Registering agentpty with the clients of a machine. */

import type { RegistrableClient } from '../agents/roster.ts'
import type { ToolsetName } from '../mcp/tool.ts'
import type { RegisteredEntry } from './registered-entry.ts'

/** How a client reaches a server: it starts a command, or asks at an address. */
export type ServerWay =
  | {
      readonly kind: 'stdio'
      readonly command: readonly string[]
      /** What the server needs to reach this instance, whatever its client passes on. */
      readonly env: Readonly<Record<string, string>>
    }
  | { readonly kind: 'http'; readonly url: string; readonly token: string }

export interface OfferedServer {
  /** What clients call it. */
  readonly name: string
  readonly way: ServerWay
  /** What people should know about it; empty when nothing. */
  readonly note: string
}

/** What is to be registered. */
export interface RegistrationRequest {
  /** Register the address instead of the command. */
  readonly http: boolean
  /** Null: our own tools. */
  readonly toolsets: readonly ToolsetName[] | null
}

export interface RegistrationChange {
  readonly client: RegistrableClient
  readonly title: string
  readonly path: string
  /** `same`: nothing is to be done. `problem`: the file is left alone. */
  readonly kind: 'add' | 'update' | 'remove' | 'restore' | 'same' | 'problem'
  /** The entry as it will be, without its secret, or what is wrong. */
  readonly detail: string
  /** What else a person should check; empty when nothing. */
  readonly note: string
}

/** A client that is here, and what it knows of us. */
export interface ClientState {
  readonly client: RegistrableClient
  readonly title: string
  readonly path: string
  /** Why its file cannot be read; null when it can, or is not there. */
  readonly problem: string | null
  /** Other users may read its file. */
  readonly isOpen: boolean
  readonly entries: readonly RegisteredEntry[]
}

/** `names`: these clients, installed or not; none: all that are found, or that were registered before. */
export interface Registrar {
  readonly server: OfferedServer
  plan(names: readonly RegistrableClient[]): readonly RegistrationChange[]
  register(names: readonly RegistrableClient[]): readonly RegistrationChange[]
  /** `isDry`: only reports what would be done. `server`: only that one; null: all of ours. */
  undo(
    names: readonly RegistrableClient[],
    options: { readonly isDry: boolean; readonly server: string | null },
  ): readonly RegistrationChange[]
  /** The clients found here. */
  registered(): readonly ClientState[]
}

export const ownServerName = 'agentpty'

/** A single door has the name of the system that it replaces; everything else is agentpty. */
export function serverNameOf(toolsets: readonly ToolsetName[] | null): string {
  const [first = 'terminal', ...others] = toolsets ?? []
  return first === 'terminal' || others.length > 0 ? ownServerName : first
}
