import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defined, type ServerClient } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { type AskedTask, type EnvironmentCall, execOutputBytesMax } from '@agentpty/protocol/gym'
import type { EngineContext, Handler, Handlers } from '@agentpty/server/call'

const execInEnvironment: Handler<'execInEnvironment'> = async ({ environments }, input, context) => {
  const { environmentId, command, env, timeoutMs } = input
  const { env: own, shell, cwd } = environments.insideStart(environmentId, input.cwd)
  const argv = typeof command === 'string' ? [shell, '-c', command] : command
  const { signal } = context
  const stdin = input.input === undefined ? undefined : Buffer.from(input.input, 'base64')
  const limits = { timeoutMs, outputBytesMax: execOutputBytesMax, ...defined({ signal, input: stdin }) }
  const container = environments.container(environmentId)
  if (input.sweep === true) await container.sweep()
  const done = await container.exec(argv, { cwd, env: { ...own, ...env }, ...limits })
  return defined({
    stdout: done.stdout.toString('base64'),
    stderr: done.stderr.toString('base64'),
    droppedBytes: done.droppedBytes > 0 ? done.droppedBytes : undefined,
    exitCode: done.exitCode,
  })
}

const makeEnvironment: Handler<'makeEnvironment'> = (engine, input, context, call) => {
  const { cwd } = context
  const { files, layers, task, ...others } = input
  const absolute = {
    files: files === undefined ? undefined : resolve(cwd, files),
    task: task === undefined ? undefined : taskFrom(task, cwd),
    layers: layers.map(({ target, folder }) => ({ target, folder: resolve(cwd, folder) })),
  }
  return engine.environments.make({ ...others, ...defined(absolute) }, environmentCall(engine, context, call))
}

/** Resolves the task: a folder in `cwd`, else a task that agentpty includes. */
function taskFrom(task: AskedTask, cwd: string): AskedTask {
  const folder = typeof task === 'string' ? task : task.folder
  const here = resolve(cwd, folder)
  if (!existsSync(here)) return task
  return typeof task === 'string' ? here : { ...task, folder: here }
}

function environmentCall(
  { host }: Pick<EngineContext, 'host'>,
  context: CallContext,
  call: ServerClient['call'],
): EnvironmentCall {
  return {
    call,
    context,
    isFullScreen: (terminalId) => host.known(terminalId)?.modes.alternateScreen === true,
    endOf: (terminalId) => host.known(terminalId)?.parsedTo ?? 0,
  }
}

/** The access of an environment to its terminals on behalf of a caller. */
export const gymHandlers = {
  closeEnvironment: async (engine, { environmentId }, context, call) => {
    await engine.environments.close(environmentId, environmentCall(engine, context, call))
    return { closed: true }
  },
  environments: async ({ environments: kept }) => ({
    environments: kept.list().map((one) => ({ ...one })),
  }),
  execInEnvironment,
  forkEnvironment: (engine, { environmentId, how }, context, call) =>
    engine.environments.fork(environmentId, how, environmentCall(engine, context, call)),
  makeEnvironment,
  resetEnvironment: (engine, { environmentId, seed = null }, context, call) =>
    engine.environments.reset(environmentId, { seed }, environmentCall(engine, context, call)),
  stepEnvironment: (engine, input, context, call) => {
    const { environmentId, action, timeoutMs = null } = input
    return engine.environments.step(environmentId, { action, timeoutMs }, environmentCall(engine, context, call))
  },
  verifyEnvironment: (engine, { environmentId }, context, call) =>
    engine.environments.verify(environmentId, environmentCall(engine, context, call)),
} satisfies Partial<Handlers>
