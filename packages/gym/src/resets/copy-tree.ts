/** Copies files with all that a program could see of them: kinds, rights, times, links, extended attributes. */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { TermError } from '@agentpty/protocol'
import { bytesOf } from '../tree/walk.ts'
import { runTool, type ToolEnd } from './run-tool.ts'

/** `target` must not be there. Errors: `environment`. */
export async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  check(source, await runTool('cp', ['-a', '--reflink=auto', '--', source, target]))
}

/**
 * Copies files by their paths inside both folders, which are those of `VisitedEntry`. Folders on the way must be there, and must be none that a
 * program may change meanwhile. Errors: `environment`.
 */
export async function copyInto(source: string, paths: readonly string[], target: string): Promise<void> {
  // By standard input, because a word of a command has to be text and a name need not be.
  const names = Buffer.concat(paths.flatMap((path) => [bytesOf(path), zero]))
  const words = ['-0', '-r', 'cp', '-a', '--reflink=auto', '--parents', '-t', target, '--']
  check(source, await runTool('xargs', words, { cwd: source, input: names }))
}

const zero = Buffer.alloc(1)

function check(source: string, { code, complaint }: ToolEnd): void {
  if (code === 0) return
  throw new TermError(
    'environment',
    `${source} could not be copied: ${complaint}.`,
    'Is there room, and may you read all of it?',
  )
}
