/** The client of an engine in this process: parses the input once, runs the verb's handler, and gives its result. */

import type { CallContext } from '../contracts/call/operation.ts'
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from '../contracts/call/operations.ts'
import { parseInput } from '../contracts/call/parse-input.ts'
import type { LiveClient } from '../contracts/client.ts'
import type { FollowOptions, SessionEvent } from '../contracts/session/events.ts'
import { close } from './verbs/close.ts'
import { create } from './verbs/create.ts'
import { list } from './verbs/list.ts'
import { read } from './verbs/read.ts'
import { recording } from './verbs/recording.ts'
import { rename } from './verbs/rename.ts'
import { resize } from './verbs/resize.ts'
import { run } from './verbs/run.ts'
import { screenshot } from './verbs/screenshot.ts'
import { send } from './verbs/send.ts'
import { sendKeys } from './verbs/send-keys.ts'
import type { EngineContext } from './verbs/steps/engine-context.ts'
import { wait } from './verbs/wait.ts'
import { write } from './verbs/write.ts'

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
