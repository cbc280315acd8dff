import { resolve } from 'node:path'
import { defined } from '../../contracts/defined.ts'
import type { Handler } from './steps/handler.ts'

export const makeEnvironment: Handler<'makeEnvironment'> = ({ environments }, input, { cwd }) => {
  const { files, layers, ...others } = input
  const absolute = {
    files: files === undefined ? undefined : resolve(cwd, files),
    layers: layers.map(({ target, folder }) => ({ target, folder: resolve(cwd, folder) })),
  }
  return environments.make({ ...others, ...defined(absolute) })
}
