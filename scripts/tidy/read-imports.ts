/** What a file of ours imports. */
import path from 'node:path'
import { isTypeScript, type SourceFile, viewsOf } from './source.ts'

export interface Import {
  readonly from: SourceFile
  /** As written. */
  readonly specifier: string
  /** The path of the imported file when it is one of ours, null for packages and node: modules. */
  readonly target: string | null
  readonly index: number
}

const importPattern =
  /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])(?<plain>[^'"]+)\1|\bimport\(\s*(['"])(?<dynamic>[^'"]+)\3/gm

export function importsOf(file: SourceFile): Import[] {
  if (!isTypeScript(file)) return []
  return [...viewsOf(file).code.matchAll(importPattern)].map((match) => {
    const specifier = match.groups?.['plain'] ?? match.groups?.['dynamic'] ?? ''
    const target = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file.path), specifier) : null
    return { from: file, specifier, target, index: match.index + match[0].length - match[0].trimStart().length }
  })
}
