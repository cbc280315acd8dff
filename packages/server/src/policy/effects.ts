/** What a line would do to this disk and the network, in sentences for the person who decides about it. */

import { homedir } from 'node:os'
import { relative } from 'node:path'
import { effectMsMax, shownText } from '@agentpty/protocol/approvals'
import { statOf, type Touches } from '@agentpty/shell-policy'
import { counted, type FileCount } from './file-count.ts'

const sentencesMax = 8
const pathMax = 200

/** Of what cannot be looked at nothing is said. `now`: a clock in milliseconds; looking takes a bounded time. */
export function effectsOf({ removed, written, hosts }: Touches, cwd: string, now: () => number): readonly string[] {
  const until = now() + effectMsMax
  const shown = (path: string) => shownText(shortened(path, cwd), pathMax)
  const sentences = [
    ...removed.map((path) =>
      removal(
        shown(path),
        counted(path, () => now() > until),
      ),
    ),
    ...written.flatMap((path) => writing(shown(path), path)),
    ...(hosts.length === 0 ? [] : [`talks to ${hosts.map((host) => shownText(host, pathMax)).join(', ')}`]),
  ]
  const more = sentences.length - sentencesMax
  return more > 0 ? [...sentences.slice(0, sentencesMax), `and ${more} more`] : sentences
}

function removal(name: string, { files, bytes, tracked, isCut, isFolder }: FileCount): string {
  if (files === 0) return isFolder ? `deletes ${name}, which holds no files` : `finds nothing to delete at ${name}`
  const count = `${isCut ? 'more than ' : ''}${files.toLocaleString('en')} file${files === 1 ? '' : 's'}`
  const what =
    files === 1 && !isFolder ? `deletes ${name} (${sizeOf(bytes)})` : `deletes ${count} in ${name} (${sizeOf(bytes)})`
  if (tracked === null) return what
  if (tracked === 0) return `${what}, none tracked by git`
  return files === 1 ? `${what}, tracked by git` : `${what}, ${tracked.toLocaleString('en')} tracked by git`
}

function writing(name: string, path: string): readonly string[] {
  if (path.includes('*')) return []
  const stat = statOf(path)
  if (stat === null) return [`creates ${name}`]
  return stat.isFile() ? [`writes to ${name}, which is there (${sizeOf(stat.size)})`] : []
}

function shortened(path: string, cwd: string): string {
  const below = relative(cwd, path)
  if (below !== '' && !below.startsWith('..')) return below
  const home = homedir()
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  const units = ['kB', 'MB', 'GB', 'TB']
  const step = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${(bytes / 1_000 ** step).toFixed(1).replace(/\.0$/, '')} ${units[step - 1]}`
}
