/** The runs of pipelines, in files or in memory. In files: a folder each, with what has become of its steps and a file for each answer. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PipelineRun, type RunStore } from '@agentpty/protocol/pipelines'
import {
  isSetAside,
  namesIn,
  readPrivate,
  readPrivateJson,
  type SetAside,
  safeName,
  setAside,
  writePrivate,
} from '../files/index.ts'

const advice = 'Make it readable, or remove it: the run is lost then.'

/** `folder` is private to the user, and made when something is kept. */
export function runStore(folder: string, report: SetAside): RunStore {
  const file = (runId: string) => join(folder, safeName(runId), 'run.json')
  const output = (runId: string, key: string) => join(folder, safeName(runId), `${safeName(key)}.answer.txt`)
  return {
    load: () =>
      namesIn(folder)
        .filter((name) => !isSetAside(name))
        .flatMap((name) => runIn(join(folder, name), report))
        .toSorted((a, b) => a.startedAt - b.startedAt),
    save: (run) => writePrivate(file(run.runId), JSON.stringify(run)),
    drop: (runId) => rmSync(join(folder, safeName(runId)), { recursive: true, force: true }),
    loadOutput: (runId, key) => readPrivate(output(runId, key), advice),
    saveOutput: (runId, key, text) => writePrivate(output(runId, key), text),
  }
}

/** None for one whose file is torn, or of another kind. */
function runIn(folder: string, report: SetAside): readonly PipelineRun[] {
  const run = PipelineRun.safeParse(readPrivateJson(join(folder, 'run.json'), advice))
  if (!run.success) setAside(folder, report)
  return run.success ? [run.data] : []
}

/** A store in memory, for as long as the engine of a program lives. */
export function memoryRunStore(): RunStore {
  const outputs = new Map<string, string>()
  return {
    load: () => [],
    save: () => {},
    drop: (runId) => {
      for (const key of outputs.keys()) if (key.startsWith(`${runId} `)) outputs.delete(key)
    },
    loadOutput: (runId, key) => outputs.get(`${runId} ${key}`) ?? null,
    saveOutput: (runId, key, text) => void outputs.set(`${runId} ${key}`, text),
  }
}
