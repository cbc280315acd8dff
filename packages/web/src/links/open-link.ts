/** Opens links of terminals in a new tab, which gets no access to this page. Only http and https are opened. */

import { copyText } from '../rooms/copy-output.ts'
import { rows, say } from '../store/store.ts'
import type { ShownLink } from './link-target.ts'
import { absolutePath } from './link-target.ts'

/** The key that opens a link together with a click. */
export const openingKey = /Mac/.test(navigator.platform) ? 'Cmd' : 'Ctrl'

export function openLink(terminalId: string, { target }: ShownLink): void {
  if (target.kind === 'web') window.open(target.href, '_blank', 'noopener,noreferrer')
  else if (target.kind === 'path') void copyPath(terminalId, target.path)
  else say(`Not opened: ${target.address}. The page opens http and https addresses only.`, true)
}

/** The file is on the machine of the daemon, so that this browser cannot open it. */
export async function copyPath(terminalId: string, path: string): Promise<void> {
  const absolute = pathIn(terminalId, path)
  await copyText(absolute, `Copied ${absolute}`)
}

/** Returns the path from the folder of the terminal's program. */
export function pathIn(terminalId: string, path: string): string {
  return absolutePath(path, rows.peek()?.find((row) => row.terminalId === terminalId)?.cwd ?? '')
}
