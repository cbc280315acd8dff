import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import {
  interactiveShell,
  numbered,
  numberedNote,
  type OpenOptions,
  type ShellStart,
  sessionEnvironment,
  shellCommand,
} from '@agentpty/engine/host'
import { nonceVariable, type Session } from '@agentpty/engine/session'
import { defined, invalidInput, isTermError, TermError } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { gateOf, shownGate } from '@agentpty/protocol/effects'
import { type SandboxInForce, shownSandbox } from '@agentpty/protocol/sandbox'
import { lineageVariable, type SessionInfo, terminalVariable } from '@agentpty/protocol/session'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { type EngineContext, type Handler, secretsFor } from '../../call/index.ts'
import { isExecutable } from '../../files/index.ts'
import { observe } from '../steps/observe.ts'
import { assertNoCommand, conditionsOf, waitFor, waitMs } from '../steps/wait-in-call.ts'

export const create: Handler<'create'> = async (engine, input, context) => {
  const conditions = conditionsOf(input, 'ready')
  // Checked first: after an error the id of the new terminal would be lost.
  if (input.command !== undefined) assertNoCommand(`${[input.command].flat()[0]} is a program`, conditions)
  const { name, note } = nameFor(engine, input.name, context)
  const start = { ...input, name }
  const session = await (input.environment === undefined
    ? openSession(engine, start, context)
    : openInEnvironment(engine, { ...start, environment: input.environment }, context))
  const timeoutMs = waitMs(input, context)
  const ending = await waitFor(engine.clock, session, { conditions, since: 0, timeoutMs }, context)
  const { info } = session
  const budget = { secrets: secretsFor(engine, context) }
  const seen = await observe(session, { since: 0, ending, before: null, budget })
  return defined({
    terminalId: info.id,
    name: info.name ?? undefined,
    shell: info.shell ?? undefined,
    pid: session.pid,
    ...session.size,
    cwd: info.cwd,
    sandbox: shownSandbox(info.sandbox),
    gate: shownGate(session.info.gate),
    ...seen,
    note: [note ?? [], seen.note ?? []].flat().join(' ') || undefined,
  })
}

/** An agent whose name another caller uses gets a numbered one, which `note` explains. A second use by itself is refused by the host. */
function nameFor({ host, clock }: EngineContext, name: string | undefined, context: CallContext) {
  const find = (one: string) => host.allSessions.find(({ info }) => info.name === one)?.info
  const holder = name === undefined ? undefined : find(name)
  if (name === undefined || holder === undefined || context.numbersNames !== true) return { name }
  if (holder.createdBy === context.client) return { name }
  const own = numbered(name, (one) => find(one) === undefined)
  const asked = { scope: context.scope?.id ?? null, wall: clock.wall() }
  return { name: own, note: numberedNote(name, own, holder, asked) }
}

function openedBy({ client, isMcp }: CallContext): Pick<OpenOptions, 'createdBy' | 'mcpClient'> {
  return { createdBy: client, mcpClient: isMcp === true ? client : null }
}

type Start = Pick<
  VerbInput<'create'>,
  'name' | 'command' | 'shell' | 'cwd' | 'env' | 'cols' | 'rows' | 'sandbox' | 'gate' | 'limits' | 'record'
>

/** Errors: `spawn_failed`, `name_taken`, `limit_reached`; `denied` and `sandbox_unavailable` for the walls around it. */
export async function openSession(engine: EngineContext, input: Start, context: CallContext): Promise<Session> {
  const shell = input.shell ?? engine.config.shell ?? defaultShell(context.env)
  const start = startOf(engine, shell, input.command, context.env)
  const cwd = workingDirectory(input.cwd, context.cwd)
  engine.secrets?.learn(context.env)
  const above = ownTerminalOf(engine, context.env)
  const parent = above === null ? null : (engine.host.known(above.id)?.info ?? null)
  const sandbox = engine.walls.settle(input.sandbox, { cwd, context, inherited: sandboxOfCaller(engine, context.env) })
  const gate = engine.gates.tableFor(input.gate, { cwd, caller: context, inherited: gateOf(above) })
  const lineageKey = randomUUID()
  const environment = (terminal: string) =>
    sessionEnvironment({
      base: context.env,
      extra: { ...start.env, ...input.env, PWD: cwd },
      terminal,
      lineageKey,
      home: engine.home,
      without: engine.config.removedVariables,
    })
  const opened: OpenOptions = {
    name: input.name ?? null,
    argv: start.argv,
    shell: input.command === undefined ? shell : null,
    cwd,
    cols: input.cols ?? engine.config.cols,
    rows: input.rows ?? engine.config.rows,
    ...openedBy(context),
    parent: parent?.id ?? null,
    above,
    limits: input.limits ?? null,
    isRecorded: input.record === true,
    gate,
    lineageKey,
    // Terminals opened from a terminal of a scope belong to the same scope, also when the call names no token.
    scope: parent?.scope ?? null,
    env: environment,
    enclosed: null,
  }
  return sandbox === null ? engine.host.open(opened) : openBehindWalls(engine, opened, sandbox)
}

/** Errors: `environment_not_found`, `invalid_input` without a container; those of opening a terminal. */
function openInEnvironment(
  engine: EngineContext,
  input: Start & { readonly environment: string },
  context: CallContext,
): Promise<Session> {
  // A caller without access does not learn whether the environment exists.
  if (context.scope !== undefined && context.scope.name !== engine.environments.scopeOf(input.environment))
    throw new TermError('denied', 'There is no environment of your scope by that id.', 'Leave out environment.')
  const inside = engine.environments.insideStart(input.environment, input.cwd)
  const { words, ptmx, env, cwd, shell, shellScripts } = inside
  const { host, config } = engine
  const start = startOf({ shellScripts }, input.shell ?? shell, input.command, env)
  return host.open({
    name: input.name ?? null,
    argv: [...words, ...start.argv],
    shell: input.command === undefined ? shell : null,
    // The folder of the wall that starts it; the program's own is inside.
    cwd: '/',
    cols: input.cols ?? config.cols,
    rows: input.rows ?? config.rows,
    ...openedBy(context),
    parent: null,
    above: null,
    limits: input.limits ?? null,
    isRecorded: input.record === true,
    lineageKey: randomUUID(),
    scope: scopeIn(engine, engine.environments.scopeOf(input.environment)),
    env: () => ({ ...env, ...start.env, ...input.env, PWD: cwd }),
    enclosed: { sandbox: null, program: start.argv },
    inside: { environment: input.environment, ptmx },
  })
}

/** Errors: `invalid_input` for a scope that is none, or over. */
function scopeIn({ scopeNamed }: EngineContext, name: string | null): string | null {
  if (name === null) return null
  const scope = scopeNamed(name)
  if (scope !== null) return scope.id
  throw invalidInput(`There is no scope "${name}".`, `Make it first: agentpty token --scope ${name}`)
}

async function openBehindWalls({ host, walls }: EngineContext, options: OpenOptions, sandbox: SandboxInForce) {
  const { argv, cwd, env, lineageKey } = options
  const inside = env('')
  const start = await walls.enclose({ argv, cwd, sandbox, env: inside })
  const nonce = defined({ [nonceVariable]: inside[nonceVariable] })
  try {
    return await host.open({
      ...options,
      argv: start.argv,
      env: (terminal) => ({ ...start.env, ...nonce, [terminalVariable]: terminal, [lineageVariable]: lineageKey }),
      enclosed: { sandbox: start.sandbox, program: argv },
    })
  } catch (error) {
    start.abandon()
    if (!isTermError(error) || error.code !== 'sandbox_unavailable') throw error
    throw new TermError(error.code, error.message, (await walls.explainFailure()) ?? error.hint)
  }
}

/** Returns the sandbox of the terminal that the caller runs in; null without one. */
export function sandboxOfCaller({ host }: Pick<EngineContext, 'host'>, env: CallContext['env']): SandboxInForce | null {
  return ownTerminalOf({ host }, env)?.sandbox ?? null
}

/** The caller's own terminal, whether its scope shows it or not. Its environment may name one that is gone. */
function ownTerminalOf({ host }: Pick<EngineContext, 'host'>, env: CallContext['env']): SessionInfo | null {
  const id = env[terminalVariable]
  return host.allSessions.find(({ info }) => info.id === id)?.info ?? null
}

function startOf(
  { shellScripts }: Pick<EngineContext, 'shellScripts'>,
  shell: string,
  command: string | readonly string[] | undefined,
  env: Readonly<Record<string, string>>,
): ShellStart {
  if (command === undefined) return interactiveShell(shell, shellScripts, env)
  return { argv: typeof command === 'string' ? shellCommand(shell, command) : command, env: {} }
}

const isShell = (path: string) => isExecutable(path) && !/\/(nologin|false|true)$/.test(path)

function defaultShell(env: Readonly<Record<string, string>>): string {
  const candidates = [env['SHELL'], '/bin/bash', '/usr/bin/bash', '/bin/sh']
  return candidates.find((path) => path !== undefined && isShell(path)) ?? 'sh'
}

function workingDirectory(asked: string | undefined, callers: string): string {
  const cwd = asked === undefined ? callers : isAbsolute(asked) ? asked : resolve(callers, asked)
  const problem = problemWith(cwd)
  if (problem === null) return cwd
  throw new TermError('spawn_failed', `The cwd "${cwd}" ${problem}.`, 'Give a directory that exists, or no cwd.')
}

function problemWith(cwd: string): string | null {
  try {
    const stat = statSync(cwd, { throwIfNoEntry: false })
    if (stat === undefined) return 'does not exist'
    return stat.isDirectory() ? null : 'is not a directory'
  } catch (error) {
    // Not permitted, too long, a link to itself, no text for a path.
    return `cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
}
