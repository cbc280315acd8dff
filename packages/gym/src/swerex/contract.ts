/** The requests of clients of SWE-ReX (1.4), and the exceptions that they raise again from responses. */

import { commandCharactersMax } from '@agentpty/protocol'
import { doorShellsMax } from '@agentpty/protocol/gym'
import type { JsonObject } from '@agentpty/protocol/wire'
import * as z from 'zod'

const session = z.string().max(255).default('default')
const Path = z.string().min(1)
const Seconds = z.number().min(0)
/** The most texts that a request can expect besides the prompt. Our waits take eight conditions; two of them are our own. */
const expectMax = 6
const expect = z.array(z.string().min(1)).max(expectMax).default([])

export const CreateSession = z.object({
  session,
  session_type: z.literal('bash').default('bash'),
  startup_source: z.array(Path).max(doorShellsMax).default([]),
  startup_timeout: Seconds.default(1),
})
export type CreateSession = z.output<typeof CreateSession>

export const BashAction = z.object({
  action_type: z.literal('bash').default('bash'),
  command: z.string().max(commandCharactersMax),
  session,
  timeout: Seconds.nullable().default(null),
  is_interactive_command: z.boolean().default(false),
  is_interactive_quit: z.boolean().default(false),
  check: z.enum(['silent', 'raise', 'ignore']).default('raise'),
  error_msg: z.string().default(''),
  expect,
})
export type BashAction = z.output<typeof BashAction>

export const BashInterrupt = z.object({
  action_type: z.literal('bash_interrupt'),
  session,
  timeout: Seconds.default(0.2),
  n_retry: z.number().int().min(1).max(20).default(3),
  expect,
})
export type BashInterrupt = z.output<typeof BashInterrupt>

export const RunInSession = z.union([BashInterrupt, BashAction])

export const CloseSession = z.object({ session, session_type: z.literal('bash').default('bash') })

export const Execute = z.object({
  command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
  timeout: Seconds.nullable().default(null),
  shell: z.boolean().default(false),
  check: z.boolean().default(false),
  error_msg: z.string().default(''),
  env: z.record(z.string(), z.string()).nullable().default(null),
  cwd: Path.nullable().default(null),
  merge_output_streams: z.boolean().default(false),
})
export type Execute = z.output<typeof Execute>

export const ReadFile = z.object({
  path: Path,
  encoding: z.string().nullable().default(null),
  errors: z.string().nullable().default(null),
})
export type ReadFile = z.output<typeof ReadFile>

export const WriteFile = z.object({ path: Path, content: z.string() })

export interface BashObservation {
  readonly output: string
  readonly exit_code: number | null
  readonly failure_reason: string
  /** The expected text that appeared; for the prompt, the name that SWE-ReX gives it. */
  readonly expect_string: string
  readonly session_type: 'bash'
}

/** The prompt of SWE-ReX. Ours looks different; a client compares the name alone. */
export const promptName = 'SHELLPS1PREFIX'

const own = (name: string) => `swerex.exceptions.${name}` as const

export const classes = {
  sessionExists: own('SessionExistsError'),
  sessionDoesNotExist: own('SessionDoesNotExistError'),
  sessionNotInitialized: own('SessionNotInitializedError'),
  incorrectSyntax: own('BashIncorrectSyntaxError'),
  timeout: own('CommandTimeoutError'),
  nonZero: own('NonZeroExitCodeError'),
  noExitCode: own('NoExitCodeError'),
  other: own('SwerexException'),
  ended: 'pexpect.exceptions.EOF',
  notInterrupted: 'pexpect.exceptions.TIMEOUT',
  notFound: 'builtins.FileNotFoundError',
  isFolder: 'builtins.IsADirectoryError',
  isNoFolder: 'builtins.NotADirectoryError',
  noPermission: 'builtins.PermissionError',
  os: 'builtins.OSError',
  lookup: 'builtins.LookupError',
  decode: 'builtins.UnicodeDecodeError',
} as const

/** Raised again by the client, as the class that it names. */
export class Swerexception extends Error {
  readonly classPath: string
  readonly extraInfo: JsonObject

  constructor(kind: keyof typeof classes, message: string, extraInfo: JsonObject = {}) {
    super(message)
    this.classPath = classes[kind]
    this.extraInfo = extraInfo
  }
}
