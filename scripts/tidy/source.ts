/**
 * What every rule of tidy works on: files as {path, text}, and problems as data.
 *
 * Rules are pure functions over a list of files, so a test is a list of two-line files.
 */

export interface SourceFile {
  /** Relative to the checkout, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface Problem {
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** What is wrong and what to write instead. */
  readonly message: string
  readonly level: 'error' | 'warning'
}

export type Rule = (files: readonly SourceFile[]) => Problem[]

export function errorAt(file: SourceFile, index: number, message: string): Problem {
  return { path: file.path, line: lineOf(file.text, index), message, level: 'error' }
}

export function lineOf(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

export function isTypeScript(file: SourceFile): boolean {
  return /\.(m?ts|tsx)$/.test(file.path)
}

export function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts') || /^(native\/[^/]+\/)?tests?\//.test(file.path)
}

/** Source of a package, without its tests. */
export function isPackageSource(file: SourceFile): boolean {
  return /^packages\/[^/]+\/src\//.test(file.path) && isTypeScript(file) && !isTest(file)
}

/** Every match of `pattern` (global) in a view, as problems. */
export function problemsAt(file: SourceFile, view: string, pattern: RegExp, message: string): Problem[] {
  return [...view.matchAll(pattern)].map((match) => errorAt(file, match.index, message))
}
