/** Runs of pipelines, as long as the engine of a program lives. */

import type { RunStore } from '@agentpty/protocol/pipelines'

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
