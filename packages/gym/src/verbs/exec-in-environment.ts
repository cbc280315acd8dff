import { defined } from '@agentpty/protocol'
import { execOutputBytesMax } from '@agentpty/protocol/gym'
import type { Handler } from '@agentpty/server/call'

export const execInEnvironment: Handler<'execInEnvironment'> = async ({ environments }, input, context) => {
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
