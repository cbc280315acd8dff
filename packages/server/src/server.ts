/** The client of an engine in this process: parses the input once, passes the guards, and runs the verb's handler. */

import { hostSeenBy, SessionNotFound, watchTerminals } from '@agentpty/engine/host'
import { type Control, invalidInput, type ServerClient, TermError, type Tools } from '@agentpty/protocol'
import { type Call, type CallContext, originOf, parseInput, toolCallInput } from '@agentpty/protocol/call'
import { callInToolset, type ToolAnswer, type Toolset, type ToolsetName, toolsetNames } from '@agentpty/protocol/mcp'
import { scopeEnded } from '@agentpty/protocol/scope'
import type {
  FollowOptions,
  OverviewEvent,
  OverviewOptions,
  SessionEvent,
  TerminalsEvent,
  WatchOptions,
} from '@agentpty/protocol/session'
import { type ParsedVerbInput, type VerbInput, type VerbName, type VerbOutput, verbs } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import { agentHandlers } from './agents/index.ts'
import { approvalHandlers } from './approvals/index.ts'
import { auditHandlers } from './audit/index.ts'
import {
  type EngineContext,
  type HandlerContext,
  type Handlers,
  Pipeline,
  secretsFor,
  typesInto,
} from './call/index.ts'
import { deviceHandlers } from './devices/index.ts'
import { needHandlers } from './needs/index.ts'
import { pipelineHandlers } from './pipelines/index.ts'
import { pushHandlers } from './push/index.ts'
import { recordingHandlers } from './recordings/index.ts'
import { scopeHandlers } from './scopes/index.ts'
import { maskedEvents } from './secrets/index.ts'
import { terminalHandlers } from './terminals/index.ts'

/** The parts of a server besides its terminals. */
export interface ServerParts {
  readonly handlers: Handlers
  readonly pipeline: Pipeline
  readonly toolset: (name: ToolsetName) => Promise<Toolset>
  readonly control: Control
}

/** Each command of the command line has a connection of its own: for doors, which remember callers, all are one caller. */
const toolCaller = 'command-line'

export class LocalClient implements ServerClient {
  readonly isInServer = true
  readonly tools: Tools = { call: (toolset, tool, input, context) => this.#callTool(toolset, tool, input, context) }
  readonly control: Control
  readonly #engine: EngineContext
  readonly #context: CallContext
  /** The parts of a call's context that the call itself cannot override. */
  readonly #bounds: Pick<CallContext, 'scope' | 'isPerson'>
  readonly #parts: ServerParts

  constructor(engine: EngineContext, context: CallContext, parts: ServerParts) {
    const { scope } = context
    this.#engine = scope === undefined ? engine : { ...engine, host: hostSeenBy(engine.host, scope) }
    this.#context = context
    this.#bounds = scope === undefined ? {} : { scope, isPerson: false }
    this.#parts = parts
    const { pipeline, control } = parts
    this.control = {
      status: () => pipeline.run(this.#own('status', {}), () => control.status()),
      stop: (options) => pipeline.run(this.#own('stop', options), () => control.stop(options)),
    }
  }

  async call<Name extends VerbName>(
    name: Name,
    input: VerbInput<Name>,
    context: Partial<CallContext> = {},
  ): Promise<VerbOutput<Name>> {
    const { input: schema, tool, example } = verbs[name]
    const parsed = parseInput(schema, input, { name: tool ?? name, example }) as ParsedVerbInput<Name>
    const into = typesInto(name, parsed, this.#engine.questions)
    const call = { name, input: parsed, context: { ...this.#context, ...context, ...this.#bounds }, typesInto: into }
    const partOf = call.context.partOf ?? tool ?? name
    const inner: ServerClient['call'] = (verb, own, more) => this.call(verb, own, { ...call.context, ...more, partOf })
    const done = this.#parts.pipeline.run(call, (permit) => {
      const context = permit === null ? call.context : { ...call.context, permit }
      const { [name]: handle } = this.#parts.handlers
      return this.#whileItHolds(handle(this.#engine, parsed, context as HandlerContext<Name>, inner))
    })
    const output = await done.catch((error: unknown) => {
      throw error instanceof SessionNotFound ? error.forClient(call.context.client) : error
    })
    return secretsFor(this.#engine, call.context)?.masked(output) ?? output
  }

  follow(terminalId: string, options: FollowOptions): AsyncIterable<SessionEvent> {
    const call = this.#own('follow', { terminalId, ...options })
    const { host, clock } = this.#engine
    const secrets = secretsFor(this.#engine, call.context)
    const open = () => {
      const session = host.find(terminalId)
      return secrets === null ? session.followers.follow(options) : maskedEvents(session, options, { secrets, clock })
    }
    return this.#parts.pipeline.stream(call, () => this.#each(open(), (event) => event))
  }

  watch(options: OverviewOptions): AsyncIterable<OverviewEvent>
  watch(options?: WatchOptions): AsyncIterable<TerminalsEvent>
  watch({ overview, signal }: WatchOptions | OverviewOptions = {}): AsyncIterable<TerminalsEvent | OverviewEvent> {
    const call = this.#own('watch', overview === true ? { overview } : {})
    const secrets = secretsFor(this.#engine, call.context)
    const mask = (event: TerminalsEvent | OverviewEvent) => secrets?.masked(event) ?? event
    const { host } = this.#engine
    const open = (): AsyncGenerator<TerminalsEvent | OverviewEvent> =>
      overview === true ? this.#engine.overview.watch(call.context.scope, signal) : watchTerminals(host, signal)
    return this.#parts.pipeline.stream(call, () => this.#each(open(), mask))
  }

  async close(): Promise<void> {}

  #own(name: Call['name'], input: unknown): Call {
    return { name, input, context: { ...this.#context, ...this.#bounds } }
  }

  /** Drops the result of a long call when the caller's token expired or was revoked meanwhile. */
  async #whileItHolds<Result>(done: Promise<Result>): Promise<Result> {
    const result = await done
    this.#assertItHolds()
    return result
  }

  async *#each<Item>(items: AsyncIterable<Item>, shown: (item: Item) => Item): AsyncGenerator<Item> {
    for await (const item of items) {
      this.#assertItHolds()
      yield shown(item)
    }
  }

  /** Errors: `denied`. */
  #assertItHolds(): void {
    const { scope } = this.#bounds
    if (scope?.holds() === false) throw scopeEnded(scope)
  }

  async #callTool(
    toolset: ToolsetName,
    tool: string,
    input: JsonObject,
    { signal = new AbortController().signal }: Pick<CallContext, 'signal'> = {},
  ): Promise<ToolAnswer> {
    if (!toolsetNames.includes(toolset))
      throw invalidInput(`No toolset "${toolset}".`, `Toolsets: ${toolsetNames.join(', ')}.`)
    const given = await this.#parts.toolset(toolset)
    const known = given.tools.find(({ name }) => name === tool)
    if (known === undefined) throw invalidInput(`No tool "${tool}" in ${toolset}.`, '')
    const begin = () => this.#parts.pipeline.run(this.#own('tool', toolCallInput(known)), async () => {})
    const origin = originOf({ ...this.#context, ...this.#bounds })
    const call = { client: this, caller: toolCaller, origin, isForModel: false, signal }
    return callInToolset(given, { tool, input, begin }, call)
  }
}

function noDaemon(): Promise<never> {
  const message = 'These terminals belong to this process: there is no daemon to ask.'
  return Promise.reject(new TermError('no_daemon', message, 'Use connect() for those of the daemon.'))
}

/** The parts of a server in its user's own process. */
export function privateParts(handlers: Handlers): ServerParts {
  return { handlers, pipeline: new Pipeline(), toolset: noDaemon, control: { status: noDaemon, stop: noDaemon } }
}

/** The handlers of the verbs of the server. Those of the gym join them in `compose/handlers.ts`. */
export const serverHandlers = {
  ...agentHandlers,
  ...approvalHandlers,
  ...auditHandlers,
  ...deviceHandlers,
  ...pushHandlers,
  ...needHandlers,
  ...pipelineHandlers,
  ...recordingHandlers,
  ...scopeHandlers,
  ...terminalHandlers,
} satisfies Partial<Handlers>
