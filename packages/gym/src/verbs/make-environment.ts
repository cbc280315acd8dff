import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defined } from '@agentpty/protocol'
import type { AskedTask } from '@agentpty/protocol/gym'
import type { Handler } from '@agentpty/server/call'
import { environmentCall } from './environment-call.ts'

export const makeEnvironment: Handler<'makeEnvironment'> = (engine, input, context, call) => {
  const { cwd } = context
  const { files, layers, task, ...others } = input
  const absolute = {
    files: files === undefined ? undefined : resolve(cwd, files),
    task: task === undefined ? undefined : taskFrom(task, cwd),
    layers: layers.map(({ target, folder }) => ({ target, folder: resolve(cwd, folder) })),
  }
  return engine.environments.make({ ...others, ...defined(absolute) }, environmentCall(engine, context, call))
}

/** What is no folder here may come with agentpty. */
function taskFrom(task: AskedTask, cwd: string): AskedTask {
  const folder = typeof task === 'string' ? task : task.folder
  const here = resolve(cwd, folder)
  if (!existsSync(here)) return task
  return typeof task === 'string' ? here : { ...task, folder: here }
}
