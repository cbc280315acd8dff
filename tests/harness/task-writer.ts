/** Small Harbor tasks, written for one test. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratchFolder } from './scratch.ts'

export class TaskWriter {
  readonly folder = scratchFolder()

  /** `files`: contents by path in the task's folder. */
  write(name: string, files: Readonly<Record<string, string>>): string {
    const folder = join(this.folder, name)
    for (const [path, content] of Object.entries({ 'instruction.md': 'Do it.\n', ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    return folder
  }
}

/** Formats a line of an actions file. */
export const actions = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** A script that gives reward 1 if the command succeeds, else 0. */
export const rewardIf = (command: string): string =>
  `#!/bin/bash\nif ${command}; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`

export const separate = (...artifacts: readonly string[]): string =>
  `artifacts = ${JSON.stringify(artifacts)}\n[verifier]\nenvironment_mode = "separate"\n[environment]\ndocker_image = "debian:12"\n`
