/** The client of an engine in this process: parses the input once, runs the verb's handler, and gives its result. */

import type { LiveClient } from '../contracts/client.ts'
import { TermError } from '../contracts/errors.ts'
import type { FollowOptions, SessionEvent } from '../contracts/events.ts'
import type { CallContext } from '../contracts/operation.ts'
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../contracts/operations.ts'
import { close } from './operations/close.ts'
import { create } from './operations/create.ts'
import { list } from './operations/list.ts'
import { read } from './operations/read.ts'
import { rename } from './operations/rename.ts'
import { resize } from './operations/resize.ts'
import { run } from './operations/run.ts'
import { screenshot } from './operations/screenshot.ts'
import { send } from './operations/send.ts'
import { sendKeys } from './operations/send-keys.ts'
import type { EngineContext } from './operations/steps/engine-context.ts'
import { wait } from './operations/wait.ts'
import { write } from './operations/write.ts'

type Handlers = {
  readonly [Name in OperationName]: (
    engine: EngineContext,
    input: OperationInput<Name>,
    context: CallContext,
  ) => Promise<OperationOutput<Name>>
}

const handlers: Handlers = { create, send, run, sendKeys, read, wait, screenshot, resize, list, close, rename, write }

export class LocalClient implements LiveClient {
  readonly #engine: EngineContext
  readonly #context: CallContext

  constructor(engine: EngineContext, context: CallContext) {
    this.#engine = engine
    this.#context = context
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    context: Partial<CallContext> = {},
  ): Promise<OperationOutput<Name>> {
    const parsed = parseInput(name, input)
    return handlers[name](this.#engine, parsed, { ...this.#context, ...context })
  }

  follow(terminalId: string, options: FollowOptions): AsyncIterable<SessionEvent> {
    return this.#engine.host.find(terminalId).followers.follow(options)
  }

  async close(): Promise<void> {}
}

/** Errors: `invalid_input` that names each wrong field. */
function parseInput<Name extends OperationName>(name: Name, input: OperationInput<Name>): OperationInput<Name> {
  const operation = operations[name]
  const parsed = operation.input.safeParse(input)
  if (parsed.success) return input
  const problems = parsed.error.issues.map((issue) => {
    const place = issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
    return `${place}${issue.message}`
  })
  throw new TermError(
    'invalid_input',
    `${operation.tool ?? name}: ${problems.slice(0, 5).join('; ')}.`,
    `For example: ${JSON.stringify(operation.example)}`,
  )
}
