/** The gate of a terminal: what its programs do to files, seen at the system call. docs/effects.md explains it. */

import * as z from 'zod'
import type { RecordedDeletion } from './undo.ts'

/** Loosest first. `journal`: what would be asked about is recorded, and nothing is held. `ask`: it is held, and a person is asked. */
export const gateSettings = ['off', 'journal', 'ask'] as const
export type GateSetting = (typeof gateSettings)[number]

/** The gate that a terminal has. `none`: there is none, because none was wanted, or because it does not work here. */
export const gateStates = ['none', 'journal', 'ask'] as const
export type GateState = (typeof gateStates)[number]

export const Gate = z.object({
  state: z.enum(gateStates),
  /** Why there is none although one was wanted; empty otherwise. */
  reason: z.string(),
})
export type Gate = Readonly<z.infer<typeof Gate>>

export const noGate: Gate = { state: 'none', reason: '' }

/** The setting that terminals opened from this one have at least. */
export const gateOf = (terminal: { readonly gate: Gate } | null): GateSetting =>
  terminal === null || terminal.gate.state === 'none' ? 'off' : terminal.gate.state

/** The gate in answers. A terminal for which no gate was wanted shows none. */
export const GateShown = z.object({ state: z.enum(gateStates), reason: z.string().optional() })

export function shownGate({ state, reason }: Gate): z.infer<typeof GateShown> | undefined {
  if (state !== 'none') return { state }
  return reason === '' ? undefined : { state, reason }
}

/**
 * `connect`, `signal` and `trace` (debugging) reach a server or a process outside the terminal. `hidden`: a program closes its memory, so the gate cannot
 * read which files it changes; the area is its name. `anything`: a question that stands for all of a terminal
 * that asks too much.
 */
export const effectVerbs = [
  'delete',
  'move',
  'write',
  'create',
  'mode',
  'link',
  'mount',
  'connect',
  'signal',
  'trace',
  'hidden',
  'anything',
] as const
export type EffectVerb = (typeof effectVerbs)[number]

/** A question for a person about one job, one verb and one area. */
export interface EffectQuestion {
  readonly kind: 'asks'
  /** Counted from 1 by the supervisor of the gate. */
  readonly id: number
  /** How many calls it was until now. */
  readonly count: number
  readonly verb: EffectVerb
  readonly program: string
  readonly pid: number
  /** The process group: the job of a shell. */
  readonly group: number
  readonly command: string
  /** The folder or file that the command works on, or the name of a server or of a program. */
  readonly area: string
  /** The path of the first call. Outside the terminal it is AREA/REST: a server’s socket, or the number and command line of a process. */
  readonly path: string
  /** `noted`: by a gate that keeps a journal. `expired`: there was no answer in time. `withdrawn`: its job has ended. */
  readonly answer: (typeof questionAnswers)[number]
  /** How long calls wait for an answer, in ms; 0 once there is one. */
  readonly leftMs: number
}

export const questionAnswers = ['noted', 'open', 'allowed', 'denied', 'expired', 'withdrawn'] as const

/** A message to a gate. `list`: it sends all questions again. */
export type GateAnswer =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: 'allow' | 'deny' }
  | { readonly kind: 'list' }

export function writeGateAnswer(message: GateAnswer): Uint8Array {
  const fields = message.kind === 'list' ? ['list'] : ['answer', `${message.id}`, message.answer]
  return Buffer.from(fields.map((field) => `${field}\0`).join(''))
}

/** Calls that the gate could not judge, and why. */
export const blindReasons = ['unread', 'unresolved', 'uring'] as const

/** Where a terminal is opened, and by whom. */
export interface GatePlace {
  readonly cwd: string
  /** The caller's folder and environment. */
  readonly caller: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }
  /** The gate of the terminal that the caller runs in. */
  readonly inherited: GateSetting
}

export interface Gates {
  /** Gates that ask keep what programs delete and overwrite in the workspace. */
  readonly keepsFiles: boolean
  /** The setting that this one is looser than; null where it may be used without an approval. */
  requiredAbove(asked: GateSetting | undefined, place: GatePlace): GateSetting | null
  /** A person has approved a looser gate for this caller’s call. */
  loosenFor(caller: GatePlace['caller']): void
  /** The table for the gate of a new terminal, by its id; null without a gate. Errors: `denied` for a looser one that was not approved. */
  tableFor(asked: GateSetting | undefined, place: GatePlace): ((terminalId: string) => string) | null
  /** The jobs of a terminal whose deleted and overwritten files were kept, as they were recorded. */
  keptJobs(terminalId: string): readonly RecordedDeletion[]
  /** Ends the job of which a call waits for this approval, if there is one. */
  endJob(approvalId: string): void
}

/** A message of a gate (native/ptyhost/src/gate.h). */
export type GateMessage =
  | ({ readonly kind: 'state' } & Gate)
  | EffectQuestion
  | { readonly kind: 'blind'; readonly count: number; readonly reason: (typeof blindReasons)[number] }

/** Null for what this version does not know. */
export function parseGateMessage(bytes: Uint8Array): GateMessage | null {
  const [kind, ...fields] = Buffer.from(bytes).toString('utf8').split('\0')
  if (kind === 'state') return stateIn(fields)
  if (kind === 'asks') return questionIn(fields)
  return kind === 'blind' ? blindIn(fields) : null
}

function stateIn([word, reason = '']: readonly string[]): GateMessage | null {
  const state = gateStates.find((one) => one === word)
  return state === undefined ? null : { kind: 'state', state, reason }
}

function questionIn(fields: readonly string[]): GateMessage | null {
  const [id, count, word, program = '', pid, group, command = '', area = '', path = '', state, left = '0'] = fields
  const verb = effectVerbs.find((one) => one === word)
  const answer = questionAnswers.find((one) => one === state)
  const numbers = { id: Number(id), count: Number(count), pid: Number(pid), group: Number(group), leftMs: Number(left) }
  if (verb === undefined || answer === undefined || !Object.values(numbers).every(Number.isSafeInteger)) return null
  return { kind: 'asks', ...numbers, verb, program, command, area, path, answer }
}

function blindIn([count, word]: readonly string[]): GateMessage | null {
  const reason = blindReasons.find((one) => one === word)
  return reason === undefined || !Number.isSafeInteger(Number(count))
    ? null
    : { kind: 'blind', count: Number(count), reason }
}
