import {
  type Client,
  type Clock,
  type ErrorCode,
  ignoring,
  isInServer,
  type Millis,
  type ServerClient,
  type Stop,
  type TermError,
  withCall,
} from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import type { ToolAnswer } from '@agentpty/protocol/mcp'

/**
 * The same client for what a door looks up on the side, such as which terminal a slot is: what a rule says of the verb is meant for calls
 * whose answer the caller gets. A program outside the server looks nothing up on the side: its calls are its own.
 */
export function aside(client: ServerClient): ServerClient
export function aside(client: Client): Client
export function aside(client: Client): Client {
  if (!isInServer(client)) return client
  return withCall(client, (name, input, context) => client.call(name, input, { ...context, isAside: true }))
}

/** Those systems have no words for them, and without the next move an agent gives up. */
const ofPolicy: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['denied', 'needs_approval', 'not_approved', 'partly_done'])

/** The text of an error for doors whose systems show a message alone. */
export function errorText({ code, message, hint }: Pick<TermError, 'code' | 'message' | 'hint'>): string {
  return ofPolicy.has(code) && hint !== '' ? `${message} ${hint}` : message
}

export function failedAnswer({ code, message, hint }: TermError, text: string): ToolAnswer {
  return { text, structured: { code, message, hint }, isError: true }
}

/** Closes a terminal, unless another client has closed it meanwhile. */
export async function closeIfOpen(client: Client, terminalId: string, context?: Partial<CallContext>): Promise<void> {
  await client.call('close', { terminalId }, context).catch(ignoring('session_not_found'))
}

/** Ends resources that were not used for a while. */
export class IdleEnd {
  readonly #clock: Clock
  readonly #idleMs: Millis
  readonly #end: () => void
  #users = 0
  #stopTimer: Stop = () => {}

  constructor(clock: Clock, idleMs: Millis, end: () => void) {
    this.#clock = clock
    this.#idleMs = idleMs
    this.#end = end
  }

  /** It is in use until the work is done; the time counts from then on. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#users++
    this.#stopTimer()
    try {
      return await work()
    } finally {
      this.#users--
      if (this.#users === 0) this.#stopTimer = this.#clock.callAt(this.#clock.now() + this.#idleMs, this.#end)
    }
  }

  /** Cancels the timer: it has ended on its own. */
  stop(): void {
    this.#stopTimer()
  }
}

// The blanks at the end of what a terminal shows. Results leave them out, because they mean nothing to a model; clients
// of other systems recognize prompts by them: `$ `, `>>> `.

/** A prompt's last line is searched for in this many bytes of output. */
const tailBytes = 512

interface OutputRead {
  readonly output: string
  /** The offset after the output. */
  readonly cursor: number
}

/** The output with the blanks that were printed at its end, since `since`. Errors: `session_not_found`. */
export async function withLastBlanks(
  client: Client,
  terminalId: string,
  { output, cursor, since }: OutputRead & { readonly since: number },
): Promise<string> {
  const from = Math.max(since, cursor - tailBytes)
  if (from >= cursor) return output
  const read = await aside(client).call('read', { terminalId, since: from, raw: true, maxBytes: tailBytes })
  // More may have come after the cursor meanwhile; and where bytes are missing the tail proves nothing.
  if (read.missedBytes !== undefined) return output
  const tail = Buffer.from(read.output)
    .subarray(0, cursor - from)
    .toString()
  return withBlanksOf(output, withoutEscapes(tail))
}

/** @example withBlanksOf('42\n>>>', '42\r\n>>> ') // '42\n>>> ' */
export function withBlanksOf(output: string, printed: string): string {
  const [line = ''] = /[^\r\n]*$/.exec(printed) ?? []
  const text = line.trimEnd()
  const blanks = line.slice(text.length)
  // Output that does not end as it was printed is a picture of the screen, or had the echo of the input left out.
  return output.endsWith(text) && (text !== '' || output === '') ? `${output}${blanks}` : output
}
