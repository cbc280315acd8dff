/**
 * Whether a program can be started as asked: what neither the system nor ptyhost takes is refused here, with the limit, before
 * anything is made.
 */

import {
  argumentBytesMax,
  argumentsMax,
  notesBytesMax,
  pathBytesMax,
  type Spawn,
  startBytesEach,
  startBytesMax,
  TermError,
} from '@agentpty/protocol'
import { wallProgram } from '../ptyhost/protocol.ts'

type Start = Pick<Spawn, 'argv' | 'env' | 'cwd' | 'meta'>

const putIntoFile = 'Put what is long into a file, and give the program its name.'
const fewerVariables = 'The environment is that of the client, with `env` over it: give or keep fewer variables.'

/** What a wall is given is not looked at again: only those who put walls up start one. Errors: `invalid_input`. */
export function assertOrdinary({ argv, enclosed }: Pick<Spawn, 'argv'> & { readonly enclosed: object | null }): void {
  if (enclosed !== null || argv[0] !== wallProgram) return
  throw new TermError('invalid_input', `${wallProgram} is no program to start.`, 'Ask for a sandbox: {"sandbox":true}.')
}

/** Errors: `invalid_input`. */
export function assertStartable({ argv, env, cwd, meta }: Start): void {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  assertPieces(argv, { what: 'argument', named: (index) => `Argument ${index}`, hint: putIntoFile })
  assertPieces(variables, { what: 'variable', named: nameIn(variables), hint: fewerVariables })
  const bytes = [...argv, ...variables].reduce((sum, piece) => sum + Buffer.byteLength(piece) + startBytesEach, 0)
  if (bytes > startBytesMax)
    throw new TermError(
      'invalid_input',
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
    throw new TermError(
      'invalid_input',
      `There are ${pieces.length} ${what}s; a program can be given ${argumentsMax}.`,
      hint,
    )
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
  if (bytes > max) throw new TermError('invalid_input', `${what}: ${bytes} bytes, and at most ${max} can be.`, hint)
}

function endsEarly(what: string, text: string): TermError {
  const at = text.indexOf('\0')
  return new TermError(
    'invalid_input',
    `${what} holds a NUL character (character ${at + 1}), which ends a text for every program.`,
    'Leave it out.',
  )
}
