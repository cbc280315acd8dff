/** The runs of pipelines: a folder each, with what has become of its steps and a file for each answer. */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TermError } from '../contracts/errors.ts'
import { PipelineRun, type RunStore } from '../contracts/pipelines/run.ts'

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** `folder` is private to the user, and made when something is kept. */
export function runStore(folder: string): RunStore {
  const file = (runId: string) => join(folder, safeName(runId), 'run.json')
  const output = (runId: string, key: string) => join(folder, safeName(runId), `${safeName(key)}.answer.txt`)
  return {
    load: () =>
      namesIn(folder)
        .flatMap((name) => parsed(read(file(name))))
        .toSorted((a, b) => a.startedAt - b.startedAt),
    save: (run) => write(file(run.runId), JSON.stringify(run)),
    drop: (runId) => rmSync(join(folder, safeName(runId)), { recursive: true, force: true }),
    loadOutput: (runId, key) => read(output(runId, key)),
    saveOutput: (runId, key, text) => write(output(runId, key), text),
  }
}

/** Ids and keys are checked where they are made; whatever else comes here leaves no folder. */
const safeName = (name: string) => name.replaceAll(/[^\w.-]|^\.+/g, '_')

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/** None for a file that is torn, or of another kind. */
function parsed(text: string | null): readonly PipelineRun[] {
  try {
    const run = PipelineRun.safeParse(JSON.parse(text ?? 'null'))
    return run.success ? [run.data] : []
  } catch {
    return []
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return null
    throw new TermError('environment', `${path} cannot be read: ${(error as Error).message}.`, 'Make it readable.')
  }
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, path)
  } catch (error) {
    throw new TermError(
      'environment',
      `${path} cannot be written: ${(error as Error).message}.`,
      'Make room on the disk, or make the folder yours.',
    )
  }
}
