/** Paths as Windows has them: drives, shares, and the providers of PowerShell. What is written like elsewhere is judged as elsewhere. */

import type { Shell } from '../walk/shell.ts'
import {
  type Arg,
  arg,
  hasTaint,
  isKnown,
  nothing,
  type Stream,
  taints,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'
import { isPattern } from './paths.ts'

/** Drives, homes and the system, and all that lies directly in them. */
const windowsRoots =
  /^([a-z]:[\\/]*(\*(\.\*)?|windows([\\/](\*(\.\*)?|system32([\\/]\*?(\.\*)?)?)?)?|users([\\/](\*(\.\*)?|[^\\/]+[\\/]?(\*(\.\*)?)?)?)?|program files[^\\/]*([\\/]\*?(\.\*)?)?|programdata([\\/]\*?(\.\*)?)?)?[\\/]*|hk(lm|cu|cr|u|cc)(:|$)[\\/]*\*?|hkey_\w+[\\/]*\*?)$/i
const drive = /^(\\\\[?.]\\)?[a-z]:/i
const provider = /^(env|function|alias|variable|cert|wsman|hklm|hkcu|hkcr|hku|registry(::.*)?):/i
const disk = /^\\\\[?.]\\(physicaldrive\d*|[a-z]:?$|harddisk\w*)/i

/** As it stands, without what says that it is a file, and with the home where `~` stands. */
export function plainPath(path: Arg, home: string): Arg {
  const text = path.text.replace(/^(microsoft\.powershell\.core\\)?filesystem::/i, '')
  if (isWindows(text)) return { ...path, text }
  const posix = text.replaceAll('\\', '/').replace(/^~(?=\/|$)/, home)
  return { ...path, text: posix, isGlob: path.isGlob || isPattern(posix) }
}

export function isWindows(text: string): boolean {
  return drive.test(text) || provider.test(text) || text.startsWith('\\\\')
}

const name = (text: string) => provider.exec(text)?.[1]?.toLowerCase() ?? ''

export function removeWindowsPath({ text }: Arg, shell: Shell): void {
  if (disk.test(text)) shell.report('D2', 'disk-destruction')
  else if (windowsRoots.test(text.replaceAll(/[\\/]+/g, '\\'))) shell.report('D2', 'root-wipe')
  else if (/^(function|alias|variable)$/.test(name(text))) shell.report('Q2', 'shadowing')
  else if (name(text) === 'env') return
  else shell.report('Q2', provider.test(text) ? 'privilege' : 'deletion')
}

export function writeWindowsPath({ text }: Arg, content: Stream, shell: Shell): void {
  shell.state.files.set(text.toLowerCase(), content)
  if (disk.test(text)) shell.report('D2', 'disk-destruction')
  else if (/\\(startup|start menu)\\|currentversion\\run|_profile\.ps1$|[\\/]profile\.ps1$/i.test(text))
    shell.report('Q2', 'persistence')
  else if (/^(function|alias|variable)$/.test(name(text))) shell.report('Q2', 'shadowing')
  else if (/^[a-z]:[\\/]+(windows|program files|programdata)|^hk|^cert|^wsman/i.test(text))
    shell.report('Q2', 'privilege')
  else if (/[\\/]\.(ssh|aws|kube|gnupg|docker)([\\/]|$)/i.test(text)) shell.report('Q2', 'persistence')
  else if (name(text) !== 'env') shell.report('Q1', 'outside-write')
}

/** What a file there holds; one that nobody may show is a secret. */
export function readWindowsPath({ text, taint }: Arg, shell: Shell): Stream {
  if (name(text) === 'env') return unknownStream(taint | taints.secret)
  const isSecret =
    /[\\/]\.(ssh|aws|kube|gnupg|azure)([\\/]|$)|[\\/](id_(rsa|dsa|ecdsa|ed25519)|\.netrc|_netrc|\.npmrc|\.git-credentials)$|[\\/]config[\\/](sam|system|security)$|login data$/i.test(
      text,
    ) && !text.endsWith('.pub')
  if (isSecret) shell.report('Q2', 'credential-read')
  return unknownStream(isSecret ? taint | taints.secret : taint)
}

/** Removes, reads and writes paths of either kind. */
export function removePath(path: Arg, shell: Shell): void {
  const plain = plainPath(path, shell.state.home)
  if (isWindows(plain.text)) removeWindowsPath(plain, shell)
  else shell.remove(plain)
}

export function readPath(path: Arg, shell: Shell): Stream {
  const plain = plainPath(path, shell.state.home)
  return isWindows(plain.text) ? readWindowsPath(plain, shell) : shell.read(plain)
}

export function writePath(path: Arg, content: Stream, shell: Shell): void {
  const plain = plainPath(path, shell.state.home)
  if (isWindows(plain.text)) writeWindowsPath(plain, content, shell)
  else shell.write(plain, content)
}

/** Moving what must stay where it is. */
export function isWindowsRoot(text: string): boolean {
  return isKnown({ text }) && windowsRoots.test(text.replaceAll(/[\\/]+/g, '\\'))
}

export const unknownPath: Arg = { text: unknownMark, taint: taints.none, isGlob: false }

/** A program that lies where something from elsewhere was written before. */
export function ranBefore({ text }: Arg, shell: Shell): void {
  const content = shell.state.files.get(text.toLowerCase())
  if (content === undefined) return
  if (hasTaint(content, taints.network)) shell.report('D2', 'remote-code')
  else if (hasTaint(content, taints.decoded)) shell.report('D2', 'encoded-payload')
  else shell.report('Q2', 'unresolved')
}

/** What is written like a path, with slashes as other programs have them. */
export function plainWord(word: Arg): Arg {
  const isPath = /^[\w.@=~:-]*(?:[\\/]+[\w.@*~ -]*)+$/.test(word.text) && !isWindows(word.text)
  return isPath ? { ...word, text: word.text.replaceAll('\\', '/') } : word
}

/** Into a folder of this machine; of one of a drive nothing is known. */
export function goToFolder(program: string, [folder]: readonly Arg[], shell: Shell): void {
  if (folder === undefined) return
  const plain = plainPath(folder, shell.state.home)
  const isOfWindows = isWindows(plain.text)
  shell.run([arg(program), isOfWindows ? unknownPath : plain], nothing)
}
