/** Refuses a start that the system or ptyhost would refuse, with the limit in the error, before anything is made. */

import {
  argumentBytesMax,
  argumentsMax,
  invalidInput,
  notedArgvBytesMax,
  notesBytesMax,
  pathBytesMax,
  type Size,
  type Spawn,
  startBytesEach,
  startBytesMax,
  type TermError,
} from '@agentpty/protocol'
import type { TreeLimits } from '@agentpty/protocol/agents'
import { noGate } from '@agentpty/protocol/effects'
import type { SandboxInForce } from '@agentpty/protocol/sandbox'
import { freeLease, type SessionInfo } from '@agentpty/protocol/session'
import { wallProgram } from '../ptyhost/protocol.ts'

type Start = Pick<Spawn, 'argv' | 'env' | 'cwd' | 'meta'>

const putIntoFile = 'Put what is long into a file, and give the program its name.'
const fewerVariables = 'The environment is that of the client, with `env` over it: give or keep fewer variables.'

/** Refuses the wall program without a sandbox: only the sandbox code starts it, and its arguments are not checked again. Errors: `invalid_input`. */
export function assertOrdinary({ argv, enclosed }: Pick<Spawn, 'argv'> & { readonly enclosed: object | null }): void {
  if (enclosed !== null || argv[0] !== wallProgram) return
  throw invalidInput(`${wallProgram} is no program to start.`, 'Ask for a sandbox: {"sandbox":true}.')
}

/** Errors: `invalid_input`. */
export function assertStartable({ argv, env, cwd, meta }: Start): void {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  assertPieces(argv, { what: 'argument', named: (index) => `Argument ${index}`, hint: putIntoFile })
  assertPieces(variables, { what: 'variable', named: nameIn(variables), hint: fewerVariables })
  const bytes = [...argv, ...variables].reduce((sum, piece) => sum + Buffer.byteLength(piece) + startBytesEach, 0)
  if (bytes > startBytesMax)
    throw invalidInput(
      `The arguments and the environment take ${bytes} bytes; a program can be given ${startBytesMax}.`,
      `${putIntoFile} ${fewerVariables}`,
    )
  assertBytes(cwd, pathBytesMax, 'The cwd', 'Give a shorter path.')
  if (cwd.includes('\0')) throw endsEarly('The cwd', cwd)
  assertBytes(meta, notesBytesMax, 'What is kept about the terminal (cwd, shell, who opened it)', 'Give shorter paths.')
}

interface Pieces {
  readonly what: 'argument' | 'variable'
  readonly named: (index: number) => string
  readonly hint: string
}

function assertPieces(pieces: readonly string[], { what, named, hint }: Pieces): void {
  if (pieces.length > argumentsMax)
    throw invalidInput(`There are ${pieces.length} ${what}s; a program can be given ${argumentsMax}.`, hint)
  for (const [index, piece] of pieces.entries()) {
    if (piece.includes('\0')) throw endsEarly(named(index), piece)
    assertBytes(piece, argumentBytesMax, named(index), hint)
  }
}

/** A variable's value may be a secret: only its name is shown. */
const nameIn = (variables: readonly string[]) => (index: number) =>
  `The variable ${JSON.stringify(variables[index]?.split('=', 1)[0])}`

function assertBytes(text: string, max: number, what: string, hint: string): void {
  const bytes = Buffer.byteLength(text)
  if (bytes > max) throw invalidInput(`${what}: ${bytes} bytes, and at most ${max} can be.`, hint)
}

function endsEarly(what: string, text: string): TermError {
  const at = text.indexOf('\0')
  return invalidInput(
    `${what} holds a NUL character (character ${at + 1}), which ends a text for every program.`,
    'Leave it out.',
  )
}

/** The data noted for a terminal when it is opened. */
export interface OpenOptions extends Size {
  readonly name: string | null
  readonly argv: readonly string[]
  readonly shell: string | null
  readonly cwd: string
  /** The program's environment; the id is known only now. */
  readonly env: (id: string) => Readonly<Record<string, string>>
  readonly createdBy: string
  /** See `SessionInfo`. */
  readonly mcpClient: string | null
  readonly parent: string | null
  /** The terminal that it is opened from, whether the caller sees it or not; null without one. */
  readonly above: SessionInfo | null
  /** The limits of the terminal and all below it; null without. */
  readonly limits: TreeLimits | null
  readonly lineageKey: string
  readonly scope: string | null
  readonly isRecorded?: boolean
  /** The table of its gate, by the id of the terminal; null without. */
  readonly gate?: ((terminalId: string) => string) | null
  /** The walls that `argv` puts up, and the program behind them; null without. */
  readonly enclosed: { readonly sandbox: SandboxInForce | null; readonly program: readonly string[] } | null
  /** It runs in the container of an environment. */
  readonly inside?: { readonly environment: string; readonly ptmx: string }
}

/** The data that the host itself provides for it. */
type Known = Readonly<Pick<SessionInfo, 'id' | 'endsAt' | 'createdAt' | 'logBytes'>> & {
  readonly ancestors: readonly string[]
  readonly givenLimits: readonly SessionInfo['givenLimits'][number][]
}

export function firstInfo(options: OpenOptions, { ancestors, givenLimits, ...known }: Known): SessionInfo {
  const {
    name,
    shell,
    cwd,
    createdBy,
    mcpClient,
    parent,
    lineageKey,
    scope,
    enclosed,
    above,
    inside,
    isRecorded = false,
  } = options
  return {
    ...known,
    name,
    shell,
    cwd,
    createdBy,
    mcpClient,
    parent,
    lineageKey,
    scope,
    isRecorded,
    argv: [...notedArgv(enclosed?.program ?? options.argv)],
    foldersAbove: foldersOf(above),
    ancestors: [...ancestors],
    givenLimits: [...givenLimits],
    clientEndedAt: null,
    isPaused: false,
    lease: freeLease,
    handBack: null,
    wanted: null,
    sandbox: enclosed?.sandbox ?? null,
    environment: inside?.environment ?? null,
    gate: noGate,
    isFailureSeen: false,
  }
}

/** A terminal's own folder and those above it, each once. */
export function foldersOf(info: SessionInfo | null): string[] {
  return info === null ? [] : [...new Set([...info.foldersAbove, info.cwd])]
}

// The part of a program's arguments that the notes of its session keep: the first ones, for the list of terminals.

const cut = '…'

/** The same arguments when they are short; else their beginning, and at least the program itself, up to the bound. */
export function notedArgv(argv: readonly string[]): readonly string[] {
  const noted: string[] = []
  let left = notedArgvBytesMax
  for (const argument of argv) {
    const kept = left > 0 ? beginning(argument, left) : ''
    noted.push(kept)
    left -= Buffer.byteLength(JSON.stringify(kept)) + 1
    if (kept !== argument) return noted
  }
  return noted
}

/** Returns the beginning of the text that takes at most `bytesMax` bytes as JSON, which writes some characters as six. */
function beginning(text: string, bytesMax: number): string {
  if (text.length <= bytesMax && Buffer.byteLength(JSON.stringify(text)) <= bytesMax) return text
  let length = Math.min(text.length, bytesMax)
  while (length > 0 && Buffer.byteLength(JSON.stringify(text.slice(0, length) + cut)) > bytesMax)
    length = Math.floor(length / 2)
  return text.slice(0, length) + cut
}
