/** A session of SWE-ReX: a shell on a terminal, whose marks say where a command ends and how. Output before a timeout is returned. */

import { endOffset } from '@agentpty/doors/parts'
import { ignoring, isTermError, outputBytesMax, type ServerClient } from '@agentpty/protocol'
import { type Observation, outputGaps } from '@agentpty/protocol/call'
import { printedByCommands } from '@agentpty/protocol/escapes'
import { observationBytesMax, stepMsMax } from '@agentpty/protocol/gym'
import type { RuntimeContainer } from './container.ts'
import { type BashAction, type BashInterrupt, type BashObservation, promptName, Swerexception } from './contract.ts'
import { check, conditionsFor, mayBeFault, outputBefore, typedFor, wrongSyntax } from './script.ts'

interface SessionParts {
  readonly client: ServerClient
  readonly container: RuntimeContainer
  readonly terminalId: string
  /** Inside, for its commands that are not typed. */
  readonly file: string
}

const context = { waitMsMax: stepMsMax, outputBytes: observationBytesMax }
const milliseconds = (seconds: number | null): number =>
  seconds === null ? stepMsMax : Math.min(stepMsMax, Math.ceil(seconds * 1_000))

export class BashSession {
  readonly #parts: SessionParts

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** Errors: {@link Swerexception}. */
  async run(action: BashAction): Promise<BashObservation> {
    const { command, check, error_msg: prefix } = action
    const isPlain = !action.is_interactive_command && !action.is_interactive_quit
    const seen = await this.#orEnded(() => (isPlain ? this.#command(action) : this.#type(action, command)))
    if (!isPlain) return { ...seen, exit_code: 0 }
    if (check === 'ignore') return { ...seen, exit_code: null }
    if (check === 'silent' || seen.exit_code === 0) return seen
    const extra = { output: seen.output }
    // The expected text appeared, and the command continues.
    if (seen.exit_code === null && action.expect.includes(seen.expect_string)) return seen
    if (seen.exit_code === null)
      throw new Swerexception('noExitCode', `${quoted(command)} has no exit code. ${seen.failure_reason}`, extra)
    const message = `Command ${quoted(command)} failed with exit code ${seen.exit_code}. Here is the output:\n${quoted(seen.output)}`
    throw new Swerexception('nonZero', prefix === '' ? message : `${prefix}: ${message}`, {
      ...extra,
      exit_code: seen.exit_code,
    })
  }

  async #command(action: BashAction): Promise<BashObservation> {
    const { client, container, terminalId, file } = this.#parts
    const { command, timeout, expect } = action
    // The expected text may be in the command itself, which the terminal shows as it is typed.
    const line = await typedFor(command, { file, isShown: expect.length === 0 }, container)
    if (line === '') return observation({ output: '', exitCode: 0, found: promptName })
    if (expect.length > 0) return this.#type(action, line)
    const since = await endOffset(client, terminalId)
    const seen = await client.call(
      'run',
      { terminalId, command: line, clearLine: true, timeoutMs: milliseconds(timeout) },
      context,
    )
    this.#assertOver(seen, action)
    await this.#assertNoFault(seen, command)
    const isAtPrompt = seen.kind === 'shell'
    const printed = isAtPrompt ? await printedBetween(client, terminalId, { since, until: seen.cursor }) : null
    return {
      ...observation({
        output: printed ?? lineEnded(seen.output),
        exitCode: isAtPrompt ? (seen.exitCode ?? null) : null,
        found: isAtPrompt ? promptName : '',
      }),
      failure_reason: [
        ...(isAtPrompt ? [] : [`It waits for input (${seen.kind ?? 'other'}).`]),
        ...outputGaps(seen),
      ].join(' '),
    }
  }

  /** Throws when the shell found a syntax error: no part of the line has run. Errors: `BashIncorrectSyntaxError`. */
  async #assertNoFault({ kind, exitCode, output }: Observation, command: string): Promise<void> {
    const { client, container, terminalId, file } = this.#parts
    const isUnfinished = kind === 'continuation'
    if (isUnfinished) await client.call('sendKeys', { terminalId, keys: ['ctrl+c'] })
    if (isUnfinished || (exitCode === 2 && mayBeFault(output))) await check(command, container, file)
    if (isUnfinished) throw wrongSyntax(command, null, 'The rest of it is missing.')
  }

  /** Types a line and waits for what is expected, or for its reader to wait for another one. */
  async #type(action: BashAction, line: string): Promise<BashObservation> {
    const { client, terminalId } = this.#parts
    const { expect } = action
    const since = await endOffset(client, terminalId)
    const seen = await client.call(
      'send',
      {
        terminalId,
        text: line,
        waitFor: [...conditionsFor(expect), 'ready'],
        waitTimeoutMs: milliseconds(action.timeout),
      },
      context,
    )
    const { output, found } = await outputBefore(client, terminalId, { since, expect })
    if (found === null) this.#assertOver(seen, action)
    const isAtPrompt = found === null && seen.kind === 'shell'
    const printed = isAtPrompt ? await printedBetween(client, terminalId, { since, until: seen.cursor }) : null
    const shown = observation({
      output: printed ?? (isAtPrompt ? lineEnded(withoutPrompt(seen.output)) : withoutEcho(output, line)),
      exitCode: found === null ? (seen.exitCode ?? null) : null,
      found: found ?? (isAtPrompt ? promptName : ''),
    })
    return { ...shown, failure_reason: outputGaps(seen).join(' ') }
  }

  /** Presses ctrl+c, and ends what does not heed it. It waits for no command before it. Errors: `pexpect.TIMEOUT`. */
  interrupt({ timeout, n_retry: tries }: BashInterrupt): Promise<BashObservation> {
    return this.#orEnded(async () => {
      const { client, terminalId } = this.#parts
      const waitTimeoutMs = milliseconds(timeout)
      for (let number = 0; number < tries; number++) {
        const seen = await client.call('sendKeys', { terminalId, keys: ['ctrl+c'], waitTimeoutMs }, context)
        if (isAtPrompt(seen)) return interrupted(seen)
      }
      const since = await endOffset(client, terminalId)
      await client.call('signal', { terminalId, signal: 'SIGKILL' })
      const wait = { waitFor: 'ready', waitTimeoutMs: Math.max(waitTimeoutMs, killedMs) } as const
      const seen = await client.call('read', { terminalId, since, ...wait }, context)
      if (isAtPrompt(seen)) return interrupted(seen)
      throw new Swerexception('notInterrupted', 'Failed to interrupt session', { output: seen.output })
    })
  }

  async close(): Promise<void> {
    const { client, terminalId } = this.#parts
    await client.call('close', { terminalId }).catch(ignoring('session_not_found'))
  }

  /** Errors: `CommandTimeoutError` with what was said until then; `pexpect.EOF` when the shell is gone. */
  #assertOver({ outcome, state, output, exitCode }: Observation, { command, timeout }: BashAction): void {
    const extra = { output, terminal_id: this.#parts.terminalId }
    if (state === 'exited')
      throw new Swerexception('ended', `The shell has ended while running ${quoted(command)}.`, {
        ...extra,
        exit_code: exitCode ?? null,
      })
    if (outcome === 'timeout' || state === 'busy')
      throw new Swerexception(
        'timeout',
        `timeout after ${timeout ?? 'None'} seconds while running command ${quoted(command)}`,
        extra,
      )
  }

  async #orEnded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!isTermError(error)) throw error
      const { code, message, hint } = error
      if (code === 'session_exited' || code === 'session_not_found') throw new Swerexception('ended', message)
      // It runs what was asked for before, whose time was over.
      if (code === 'shell_busy') throw new Swerexception('timeout', `${message} Interrupt it by a bash_interrupt.`)
      throw new Swerexception('other', `${message} ${hint}`)
    }
  }
}

/** A killed program is gone within this time, or something holds it. */
const killedMs = 2_000

// The exact output of a command of a session: the screen would show tabs as blanks, and no blanks at the end of a line.

const piecesMax = 5

/** Null where the marks of the shell do not say it, or it is longer than 5 MiB. Errors: `session_not_found`. */
async function printedBetween(
  client: ServerClient,
  terminalId: string,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<string | null> {
  let text = ''
  let next = since
  for (let piece = 0; piece < piecesMax && next < until; piece++) {
    const read = await client.call('read', { terminalId, since: next, until, raw: true, maxBytes: outputBytesMax })
    if (read.missedBytes !== undefined) return null
    text += read.output
    if (read.cursor <= next) break
    next = read.cursor
  }
  return next < until ? null : printedByCommands(text)
}

const isAtPrompt = ({ state, kind }: Observation): boolean => state === 'ready' && kind === 'shell'

const interrupted = ({ output }: Observation): BashObservation =>
  observation({ output: withoutPrompt(output).trim(), exitCode: 0, found: promptName })

interface Seen {
  readonly output: string
  readonly exitCode: number | null
  readonly found: string
}

/** Observations of SWE-ReX for a session: the output without prompts and echo, and a name for what ended it. */
function observation({ output, exitCode, found }: Seen): BashObservation {
  return { output, exit_code: exitCode, failure_reason: '', expect_string: found, session_type: 'bash' }
}

/** Returns the output of a command that ends its lines. */
const lineEnded = (output: string): string => (output === '' || output.endsWith('\n') ? output : `${output}\n`)

/** The last line is the shell's own. */
const withoutPrompt = (output: string): string => output.slice(0, Math.max(0, output.lastIndexOf('\n')))

const withoutEcho = (output: string, line: string): string => {
  const text = output.trimStart()
  return (text.startsWith(line) ? text.slice(line.length) : text).trim()
}

/** Quotes a text as Python does, as far as clients depend on it. */
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
