/** The /etc of containers: what of this machine's is for everybody, with accounts of its own. Made once by each server. */

import { constants, type Dirent } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { homeInside, hostname, shellInside } from './inside.ts'

/** What names this machine or its users, and what holds their secrets even where everybody may read it. */
const notShown =
  /^(?:passwd-?|group-?|g?shadow-?|subuid-?|subgid-?|sudoers(?:\.d)?|ssh|machine-id|hostname|hosts|mtab|fstab|crypttab|krb5\.keytab|wireguard|NetworkManager|apparmor.*|systemd)$/

/** Nothing in /etc that programs read at their start is larger. */
const fileBytesMax = 4 * 1024 * 1024
const everybodyReads = 0o004

const ownFiles: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:${homeInside}:${shellInside}\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  group: 'root:x:0:\nnogroup:x:65534:\n',
  hostname: `${hostname}\n`,
  hosts: `127.0.0.1 localhost ${hostname}\n::1 localhost\n`,
}

/** `folder` must not be there. */
export async function makeEtcFolder(folder: string): Promise<void> {
  await copyShown('/etc', folder, (name) => !notShown.test(name))
  await Promise.all(Object.entries(ownFiles).map(([name, text]) => writeFile(join(folder, name), text)))
}

async function copyShown(source: string, target: string, isShown: (name: string) => boolean): Promise<void> {
  await mkdir(target, { mode: 0o755 })
  const entries = await readdir(source, { withFileTypes: true })
  await Promise.all(entries.filter(({ name }) => isShown(name)).map((entry) => copyOne(entry, source, target)))
}

async function copyOne(entry: Dirent, from: string, to: string): Promise<void> {
  const [source, target] = [join(from, entry.name), join(to, entry.name)]
  if (entry.isSymbolicLink()) return symlink(await readlink(source), target)
  const { mode, size } = await lstat(source)
  if ((mode & everybodyReads) === 0) return undefined
  if (entry.isDirectory()) return copyShown(source, target, () => true)
  if (entry.isFile() && size <= fileBytesMax) return copyFile(source, target, constants.COPYFILE_FICLONE)
  return undefined
}
