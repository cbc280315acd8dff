/** The devices of an instance, in a file of its own, and the files that lead a browser to the page. */

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { devicesFileBytesMax, KeptDevices } from '@agentpty/protocol/page'
import { namesIn, privateJsonFile, type SetAside, writePrivate } from '../files/index.ts'

const advice = 'Make it readable, or remove it: all browsers sign in again then.'
const [prefix, ending] = ['open-', '.html']

/**
 * `file`: the devices; 0600. `folder`: private to the user; redirects of an earlier daemon are removed from it. Errors: `environment`.
 */
export function devicesFile(file: string, folder: string, told: SetAside) {
  for (const name of namesIn(folder))
    if (name.startsWith(prefix) && name.endsWith(ending)) rmSync(join(folder, name), { force: true })
  return {
    load: privateJsonFile(file, { schema: KeptDevices, advice, setAside: told }).read,
    save: (kept: KeptDevices): void => {
      const text = JSON.stringify(kept)
      if (text.length > devicesFileBytesMax) throw new Error(`${text.length} bytes of devices`)
      writePrivate(file, text)
    },
    putRedirect: (url: string): string => {
      const path = join(folder, `${prefix}${randomBytes(6).toString('hex')}${ending}`)
      writePrivate(path, redirectTo(url))
      return path
    },
    dropRedirect: (path: string): void => rmSync(path, { force: true }),
  }
}

/** The address holds letters, digits and a few marks that mean nothing in HTML. */
function redirectTo(url: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${url}">
<title>agentpty</title>
<p><a href="${url}">Open agentpty</a></p>
</html>
`
}
