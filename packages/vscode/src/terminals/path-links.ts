/**
 * Links to files in the tabs of terminals. The editor does not know the folder of such a terminal, so a relative path in its output leads
 * nowhere. Here it counts from the folder of the terminal, else from a folder of the window. The editor finds absolute paths and addresses.
 */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as vscode from 'vscode'

export interface FoundPath {
  /** The index of its first character in the line. */
  readonly start: number
  readonly length: number
  readonly path: string
  /** From 1; null without a position. */
  readonly line: number | null
  readonly column: number | null
}

/** More paths of one line are not linked, because each is looked up on the disk. */
const pathsMax = 20

const address = /[a-z][a-z0-9+.-]*:\/\/\S+/gi
const name = String.raw`[^\s'"\`()<>[\]{}|:;,=*?!&]+`
/** `:3:5`, `:3`, `(3,5)`, `(3)`, `", line 3`, and nothing. */
const position = String.raw`(?::(\d+)(?::(\d+))?|\((\d+)(?:, ?(\d+))?\)|['"]?,? line (\d+)(?:, column (\d+))?)?`
const pathWithPosition = new RegExp(`(${name})${position}`, 'g')

/** The relative paths that a line may name. */
export function pathsIn(line: string): readonly FoundPath[] {
  const text = line.replaceAll(address, (found) => ' '.repeat(found.length))
  return [...text.matchAll(pathWithPosition)]
    .flatMap((found): FoundPath[] => {
      const [whole, path = '', ...positions] = found
      const [row, column] = positions.filter((one) => one !== undefined).map(Number)
      const isRelative = /[./]/.test(path) && /[\p{L}\p{N}]/u.test(path) && !/^[/~]/.test(path)
      if (!isRelative) return []
      // The full stop of a sentence.
      const cut = row === undefined ? path.replace(/\.+$/, '') : path
      const length = row === undefined ? cut.length : whole.length
      return [{ start: found.index, length, path: cut, line: row ?? null, column: column ?? null }]
    })
    .slice(0, pathsMax)
}

export interface PathLink extends vscode.TerminalLink {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** `foldersOf`: the folders that a path in this terminal counts from, in their order; none for terminals that are not agentpty's. */
export function providePathLinks(
  foldersOf: (terminal: vscode.Terminal) => readonly string[],
): vscode.TerminalLinkProvider<PathLink> {
  return {
    provideTerminalLinks: async ({ line, terminal }) => {
      const folders = foldersOf(terminal)
      const links = await Promise.all(pathsIn(line).map((found) => linkTo(found, folders)))
      return links.filter((link) => link !== null)
    },
    handleTerminalLink: async ({ file, line, column }) => {
      const at = new vscode.Position(line, column)
      await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) })
    },
  }
}

/** Null if there is no such file. */
async function linkTo(found: FoundPath, folders: readonly string[]): Promise<PathLink | null> {
  const { start, length, path, line, column } = found
  // Git puts a/ and b/ before the paths of a change.
  const paths = /^[ab]\//.test(path) ? [path, path.slice(2)] : [path]
  const candidates = folders.flatMap((folder) => paths.map((one) => join(folder, one)))
  for (const file of candidates)
    if (await isFile(file))
      return {
        startIndex: start,
        length,
        tooltip: 'Open file',
        file,
        line: Math.max(0, (line ?? 1) - 1),
        column: Math.max(0, (column ?? 1) - 1),
      }
  return null
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
