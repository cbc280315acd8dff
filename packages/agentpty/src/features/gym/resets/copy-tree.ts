/** Copies files with all that a program could see of them: kinds, rights, times, links, extended attributes. */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { TermError } from '../../../contracts/errors.ts'
import { runTool } from './run-tool.ts'

/** So many names are given to one program. */
const namesMax = 500

/** `target` must not be there. Errors: `environment`. */
export async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await copied(source, ['-a', '--reflink=auto', '--', source, target], '/')
}

/** Those files, by their paths inside both folders. Folders on the way must be there. Errors: `environment`. */
export async function copyInto(source: string, paths: readonly string[], target: string): Promise<void> {
  for (let at = 0; at < paths.length; at += namesMax)
    await copied(source, ['-a', '--reflink=auto', '--parents', '--', ...paths.slice(at, at + namesMax), target], source)
}

async function copied(source: string, words: readonly string[], cwd: string): Promise<void> {
  const { code, complaint } = await runTool('cp', words, { cwd })
  if (code === 0) return
  throw new TermError(
    'environment',
    `${source} could not be copied: ${complaint}.`,
    'Is there room, and may you read all of it?',
  )
}
