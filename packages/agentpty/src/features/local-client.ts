/** The client of an engine in this process: parses the input once, runs the verb's handler, and gives its result. */

import type { LiveClient } from '../contracts/client.ts'
import type { FollowOptions, SessionEvent } from '../contracts/events.ts'
import type { CallContext } from '../contracts/operation.ts'
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../contracts/operations.ts'
import { parseInput } from '../contracts/parse-input.ts'
import { close } from './operations/close.ts'
import { create } from './operations/create.ts'
import { list } from './operations/list.ts'
import { read } from './operations/read.ts'
import { recording } from './operations/recording.ts'
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

const handlers: Handlers = {
  create,
  send,
  run,
  sendKeys,
  read,
  wait,
  screenshot,
  resize,
  list,
  close,
  rename,
  write,
  recording,
}

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
    const { input: schema, tool, example } = operations[name]
    parseInput(schema, input, { name: tool ?? name, example })
    return handlers[name](this.#engine, input, { ...this.#context, ...context })
  }

  follow(terminalId: string, options: FollowOptions): AsyncIterable<SessionEvent> {
    return this.#engine.host.find(terminalId).followers.follow(options)
  }

  async close(): Promise<void> {}
}
