/**
 * Folders and instances that are removed at the end of the test, or of the file or `describe`, that creates them.
 * `beforeAll` cannot create them, because vitest accepts no more hooks by then.
 */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished, TestRunner } from 'vitest'
import { Instance } from './instance.ts'

let hooksAreTaken = false
beforeAll(() => {
  hooksAreTaken = true
})

/** Runs a callback when the test ends, or else the file or `describe`. The last one registered runs first. */
function atEnd(clean: () => unknown): void {
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(async () => void (await clean()))
  else if (hooksAreTaken) throw new Error('beforeAll is too late for this: call it where the hooks are registered')
  else afterAll(async () => void (await clean()))
}

/** Creates an empty folder. `parent`: its location, if not the system's folder for temporary files. */
export function scratchFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'agentpty-scratch-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Creates an instance. At its end it is stopped, and none of its processes may be left. */
export function scratchInstance(...options: ConstructorParameters<typeof Instance>): Instance {
  const instance = new Instance(...options)
  atEnd(async () => assert.deepEqual(await instance.stop(), []))
  return instance
}
