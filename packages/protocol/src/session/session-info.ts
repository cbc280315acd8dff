/** The engine's data of a session besides its terminal. The host stores it, so it outlives the engine. */

import * as z from 'zod'
import { GivenLimits } from '../agents/tree-limits.ts'
import { Gate, noGate } from '../effects/gate.ts'
import { SandboxInForce } from '../sandbox/sandbox.ts'
import { freeLease, HandBack, Lease, WantedPerson } from './lease.ts'

const SessionInfo = z.object({
  id: z.string(),
  name: z.string().nullable(),
  argv: z.array(z.string()),
  /** The shell's path when the session is an interactive shell, else null. */
  shell: z.string().nullable(),
  cwd: z.string(),
  /** Where the terminals above it were opened: what repositories forbid there holds here as well. */
  foldersAbove: z.array(z.string()).default([]),
  createdBy: z.string(),
  /** The MCP client that uses it, whose end is noted; null for the terminals of persons and programs. */
  mcpClient: z.string().nullable().default(null),
  /** When that client ended, in milliseconds since 1970; null while it is connected. */
  clientEndedAt: z.number().nullable().default(null),
  /** The terminal of the program that opened it; null when that ran elsewhere. */
  parent: z.string().nullable().default(null),
  /** The terminals above it when it was opened, the outermost first; those that have gone included. */
  ancestors: z.array(z.string()).default([]),
  /** Limits that hold for it and what is opened from it, besides those of the configuration. */
  givenLimits: z.array(GivenLimits).default([]),
  /** All of its processes are stopped. */
  isPaused: z.boolean().default(false),
  /** When it is closed with all below it, in milliseconds since 1970; null: not automatically. */
  endsAt: z.number().nullable().default(null),
  /** Letters that its programs inherit in their environment: a process that has them comes from here. Null from older engines. */
  lineageKey: z.string().nullable().default(null),
  /** The id of the scope that it belongs to; null when it belongs to none. */
  scope: z.string().nullable().default(null),
  /** The lease: the clients that may type. */
  lease: Lease.default(freeLease),
  /** Report about the last lease, until an agent has typed again; null without. */
  handBack: HandBack.nullable().default(null),
  /** The request for a person to take it over; null when there is none. */
  wanted: WantedPerson.nullable().default(null),
  /** The walls around its program; null without. */
  sandbox: SandboxInForce.nullable().default(null),
  /** The environment in whose container it runs; null when it runs in none. */
  environment: z.string().nullable().default(null),
  /** Its gate, once it has reported. */
  gate: Gate.default(noGate),
  /** It has failed, and a person has seen that. */
  isFailureSeen: z.boolean().default(false),
  /** Its opener wants it recorded, whatever the settings say. */
  isRecorded: z.boolean().default(false),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  logBytes: z.number(),
})

export type SessionInfo = Readonly<z.infer<typeof SessionInfo>>

/** Errors: throws on notes that another version wrote differently. */
export function parseSessionInfo(meta: string): SessionInfo {
  return SessionInfo.parse(JSON.parse(meta))
}
