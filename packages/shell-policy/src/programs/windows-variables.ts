/** Variables as cmd and PowerShell set them. */

import { isWindows } from '../places/windows-paths.ts'
import type { Shell } from '../walk/shell.ts'
import type { Arg } from '../walk/value.ts'

/** Names have no case there; lists of folders have a semicolon between them. */
export function assignVariable(name: string, value: Arg, shell: Shell): void {
  const upper = name.toUpperCase()
  const isList = /PATH$/.test(upper) && value.text.includes(';')
  shell.assign(upper, isList ? { ...value, text: value.text.split(';').map(asFolder).join(':') } : value)
}

/** A folder of Windows is none that is known here. */
const asFolder = (folder: string) => (isWindows(folder) ? '/windows' : folder.replaceAll('\\', '/'))
