/** Names of terminals: each is unique among the terminals that are there. */

import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  firstFew,
  invalidInput,
  limitReached,
  machineUnfit,
  makeFolder,
  nameCharactersMax,
  sessionNumberMax,
  TermError,
} from '@agentpty/protocol'
import { endedClientWords, type SessionInfo } from '@agentpty/protocol/session'

const looksLikeId = /^term-\d+$/i

/** Errors: `invalid_input` for a name that reads like an id. */
export function assertIsName(name: string): void {
  if (!looksLikeId.test(name)) return
  throw invalidInput(
    `"${name}" is no name: it looks like the id of a terminal.`,
    'Choose a name that says what the terminal is for.',
  )
}

type Holder = Pick<SessionInfo, 'id' | 'scope' | 'clientEndedAt'>

interface Asked {
  /** Scope of the caller, or of the terminal that gets the name; null without one. */
  readonly scope: string | null
  readonly wall: number
}

/** `holder`: the terminal that has the name; null while it is being opened. */
export function nameTaken(name: string, holder: Holder | null, { scope, wall }: Asked): TermError {
  if (holder === null)
    return new TermError('name_taken', `A terminal named "${name}" is being opened.`, 'Choose another name.')
  if (!isShown(holder, scope))
    return new TermError('name_taken', `A terminal of another scope is named "${name}".`, 'Choose another name.')
  const { id } = holder
  return new TermError(
    'name_taken',
    `${id} is named "${name}"${endedSuffix(holder, wall)}.`,
    `Use it by its id ${id}, close it, or choose another name.`,
  )
}

/** The note for a terminal that got its name with a number. */
export function numberedNote(name: string, own: string, holder: Holder, { scope, wall }: Asked): string {
  if (!isShown(holder, scope)) return `A terminal of another scope is named "${name}", so this one is named "${own}".`
  const { id } = holder
  return `${id} of another client is named "${name}"${endedSuffix(holder, wall)}. This terminal is named "${own}". To use the other one, pass its id ${id}.`
}

/** The name with the first number that is free: `server-2`. */
export function numbered(name: string, isFree: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const suffix = `-${number}`
    const candidate = `${name.slice(0, nameCharactersMax - suffix.length)}${suffix}`
    if (isFree(candidate)) return candidate
  }
}

/** A caller with a scope learns nothing about the terminals of others. */
const isShown = (holder: Holder, scope: string | null): boolean => scope === null || holder.scope === scope

function endedSuffix({ clientEndedAt }: Holder, wall: number): string {
  return clientEndedAt === null ? '' : ` (${endedClientWords(clientEndedAt, wall)})`
}

type Sessions = readonly { readonly info: Pick<SessionInfo, 'id' | 'name' | 'createdBy' | 'mcpClient'> }[]

/** The error for a terminal that is not there. It lists the terminals that are, those of the caller first. */
export class SessionNotFound extends TermError {
  readonly #sessions: Sessions

  /** `sessions`: those that the caller sees. `why`: what has closed it, where that was not a caller. */
  constructor(idOrName: string, sessions: Sessions, why?: string) {
    super(
      'session_not_found',
      `No terminal "${idOrName}"${why === undefined ? '' : `: it was ${why}`}.`,
      hintOf(sessions),
    )
    this.#sessions = sessions
  }

  /** The same error, with the terminals of this client listed first. */
  forClient(client: string): TermError {
    const isOwn = ({ info }: Sessions[number]) => info.createdBy === client || info.mcpClient === client
    const own = this.#sessions.filter(isOwn)
    const others = this.#sessions.filter((one) => !isOwn(one))
    return new TermError(this.code, this.message, hintOf([...own, ...others]))
  }
}

function hintOf(sessions: Sessions): string {
  if (sessions.length === 0) return 'None is open: start with terminal_create.'
  return `Open: ${firstFew(sessions.map(({ info: { id, name } }) => (name === null ? id : `${id} (${name})`)))}.`
}

// Numbers for session ids, never given twice, not even after everything has ended: the last one is kept in a file. Where that file
// is gone, or holds nonsense, the numbers continue after the highest one that is in use.

/** Always the same length and written in one go, so that a killed process never leaves half a number. */
const digits = 16

/** `path` null: counts in memory, for an engine whose sessions end with it. Errors: `limit_reached` when the number cannot be kept. */
export function idCounter(path: string | null, highestInUse: () => number = () => 0): () => number {
  let last = path === null ? 0 : readLast(path)
  return () => {
    const next = Math.max(last, highestInUse()) + 1
    if (next > sessionNumberMax) throw atItsEnd(path)
    if (path !== null) keep(path, next)
    last = next
    return next
  }
}

function atItsEnd(path: string | null): TermError {
  return limitReached(
    `There is no number for another terminal: the last one is ${sessionNumberMax}.`,
    path === null
      ? 'Open them in another process.'
      : `Remove ${path} and run: agentpty stop. Numbers then go on after the highest one in use.`,
  )
}

/** Zero without a file. Errors: `machine_unfit` for a file that cannot be read, because an id might be given twice then. */
function readLast(path: string): number {
  const file = openToRead(path)
  try {
    const bytes = Buffer.alloc(digits * 2)
    const last = Number.parseInt(bytes.toString('latin1', 0, readSync(file, bytes)), 10)
    return last > 0 && last <= sessionNumberMax ? last : 0
  } finally {
    closeSync(file)
  }
}

function keep(path: string, number: number): void {
  try {
    const file = open(path, constants.O_WRONLY)
    try {
      const text = `${String(number).padStart(digits, '0')}\n`
      writeSync(file, text, 0)
      ftruncateSync(file, text.length)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const hint = 'Make room on the disk, or make the file yours; then open the terminal again.'
    throw limitReached(`The last id cannot be kept in ${path}: ${reason}.`, hint)
  }
}

function openToRead(path: string): number {
  try {
    return open(path, constants.O_RDWR)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw machineUnfit(
      `The last number of a terminal cannot be read from ${path}: ${reason}.`,
      'Make room on the disk and make the file yours; or move it away: numbers then go on after the highest one in use.',
    )
  }
}

/** Makes the file when it is missing, with its folder. */
function open(path: string, how: number): number {
  makeFolder(dirname(path))
  return openSync(path, how | constants.O_CREAT, 0o600)
}
