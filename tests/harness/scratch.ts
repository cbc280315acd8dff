/**
 * Folders and instances that are removed with the test that makes them, or with the file or `describe` that does.
 * `beforeAll` cannot make them: vitest takes no more hooks by then.
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

/** Runs it when the test ends, or else the file or `describe`; what was registered last runs first. */
function atEnd(clean: () => unknown): void {
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(async () => void (await clean()))
  else if (hooksAreTaken) throw new Error('beforeAll is too late for this: call it where the hooks are registered')
  else afterAll(async () => void (await clean()))
}

/** Makes an empty folder. `parent`: where, when it may not be the system's folder for temporary files. */
export function scratchFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'agentpty-scratch-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Makes an instance. At its end it is stopped, and nothing that it ran may be left. */
export function scratchInstance(...options: ConstructorParameters<typeof Instance>): Instance {
  const instance = new Instance(...options)
  atEnd(async () => assert.deepEqual(await instance.stop(), []))
  return instance
}
