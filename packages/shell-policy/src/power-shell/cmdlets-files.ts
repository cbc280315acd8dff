/** Cmdlets that read, write and remove files. Where bash has a program for the same, its rule judges the paths. */

import { isProtectedRoot } from '../places/places.ts'
import {
  isWindows,
  isWindowsRoot,
  plainPath,
  readPath,
  removePath,
  unknownPath,
  writePath,
} from '../places/windows-paths.ts'
import {
  type Arg,
  arg,
  globArg,
  isKnown,
  joined,
  listing,
  nothing,
  type Stream,
  someMark,
  taints,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'
import { argsOf, type Bound, hasSwitch, itemsFor } from './bind.ts'
import type { Cmdlet, Cmdlets } from './cmdlet.ts'
import type { PowerShellHost } from './host.ts'
import { itemsOf, streamOf, unknownItem } from './item.ts'

const paths = ['path', 'literalpath', 'pspath', 'fullname', 'filepath']
/** Parameters that hold no path. */
const noPaths = [
  'filter',
  'include',
  'exclude',
  'encoding',
  'erroraction',
  'ea',
  'stream',
  'credential',
  'value',
  'inputobject',
  'type',
  'itemtype',
  'delimiter',
  'first',
  'last',
  'tail',
  'head',
  'totalcount',
  'depth',
  'width',
  'property',
  'pattern',
  'variable',
  'attributes',
  'context',
  'readcount',
]

/** Those that are given, or come through the pipe; without either unknown. */
function pathsOf(bound: Bound, stdin: Stream): readonly Arg[] {
  const named = bound.named.filter(
    ({ parameter }) => !noPaths.some((one) => parameter !== null && one.startsWith(parameter)),
  )
  const given = argsOf([...named.flatMap(({ items }) => items), ...bound.positional.flatMap(({ items }) => items)])
  if (given.length > 0) return given
  const piped = argsOf(itemsOf(stdin))
  return piped.length > 0 ? piped : [unknownPath]
}

const remove: Cmdlet = ({ bound, stdin }, { host }) => {
  if (hasSwitch(bound, 'whatif')) return nothing
  for (const path of pathsOf(bound, stdin)) removePath(path, host)
  return nothing
}

const read: Cmdlet = ({ bound, stdin }, { host }) => joined(pathsOf(bound, stdin).map((path) => readPath(path, host)))

/** Written is what stands behind the path, or comes through the pipe. */
const write: Cmdlet = ({ bound, stdin }, { host }) => {
  const [target = unknownItem()] = itemsFor(bound, [...paths, 'destinationpath'], 0)
  const given = itemsFor(bound, ['value', 'inputobject'], 1)
  const content = given.length > 0 ? streamOf(given) : stdin
  writePath(target.arg, content, host)
  return hasSwitch(bound, 'passthru') ? content : nothing
}

const tee: Cmdlet = ({ bound, stdin }, { host }) => {
  const [target] = itemsFor(bound, paths, 0)
  if (target !== undefined) writePath(target.arg, stdin, host)
  return stdin
}

const newItem: Cmdlet = ({ bound, stdin }, { host }) => {
  const [folder] = itemsFor(bound, paths, 0)
  const [name] = itemsFor(bound, ['name'])
  const [type] = itemsFor(bound, ['itemtype', 'type'])
  const [target] = itemsFor(bound, ['target', 'value'])
  const where = name === undefined ? (folder?.arg ?? unknownPath) : inFolder(folder?.arg ?? arg('.'), name.arg)
  if (/link|junction/i.test(type?.arg.text ?? '') && target !== undefined)
    return host.run([arg('ln'), arg('-s'), plain(target.arg, host), plain(where, host)], nothing)
  if (/^d/i.test(type?.arg.text ?? '')) return makeFolder([where], host)
  writePath(where, target === undefined ? stdin : streamOf([target]), host)
  return nothing
}

const inFolder = (folder: Arg, name: Arg): Arg => ({
  ...folder,
  text: `${folder.text}/${name.text}`,
  taint: folder.taint | name.taint,
})
const plain = (path: Arg, host: PowerShellHost) => plainPath(path, host.state.home)

function makeFolder(folders: readonly Arg[], host: PowerShellHost): Stream {
  for (const folder of folders) {
    if (isWindows(folder.text)) writePath(folder, nothing, host)
    else host.run([arg('mkdir'), arg('-p'), plain(folder, host)], nothing)
  }
  return nothing
}

/** By the rule of `cp` or `mv`, unless a drive is named. */
const transfer =
  (program: 'cp' | 'mv'): Cmdlet =>
  ({ bound, stdin }, { host }) => {
    const destination = itemsFor(bound, ['destination', 'newname'], 1)
    const given = itemsFor(bound, paths, 0)
    const sources = argsOf(given.length > 0 ? given : itemsOf(stdin))
    const [target = arg('.')] = argsOf(destination)
    for (const source of sources.length > 0 ? sources : [unknownPath]) {
      if (!isWindows(source.text) && !isWindows(target.text)) {
        host.run([arg(program), plain(source, host), plain(target, host)], nothing)
        continue
      }
      if (program === 'mv' && isWindowsRoot(source.text)) host.report('D2', 'root-wipe')
      else if (program === 'mv' && !isWindows(source.text))
        host.run([arg('mv'), plain(source, host), arg('/tmp/x')], nothing)
      const content = readPath(source, host)
      // A share is another machine.
      if (target.text.startsWith('\\\\') && (content.taint & taints.secret) !== 0) host.report('D2', 'credential-exfil')
      writePath(target, content, host)
    }
    return nothing
  }

/** The new name is one in the same folder. */
const rename: Cmdlet = (call, runner) => {
  const [source = unknownItem()] = itemsFor(call.bound, paths, 0)
  const [name = unknownItem()] = itemsFor(call.bound, ['newname'], 1)
  const folder = /^(.*[\\/])[^\\/]*$/.exec(source.arg.text)?.[1] ?? ''
  const target = { ...name, arg: { ...name.arg, text: `${folder}${name.arg.text}` } }
  const positional = [source, target].map((one) => ({ parameter: null, items: [one] }))
  return transfer('mv')({ ...call, bound: { positional, named: [] } }, runner)
}

// --- lists ---

/** Where the files lie; all of what must not be emptied stays all of it, whatever is picked out. */
const list: Cmdlet = ({ bound }, { host }) => {
  const given = argsOf(itemsFor(bound, paths, 0))
  const [filter] = argsOf([...itemsFor(bound, ['filter'], 1), ...itemsFor(bound, ['include'])])
  if (given.some(({ text }) => /^env:/i.test(text))) return unknownStream(taints.secret)
  return listing((given.length > 0 ? given : [arg('.')]).map((path) => below(plain(path, host), filter, host)))
}

function below(path: Arg, filter: Arg | undefined, host: PowerShellHost): Arg {
  if (path.isGlob || !isKnown(path)) return path
  const folder = path.text.replace(/[\\/]+$/, '')
  const isWhole = filter === undefined || isRoot(path, host)
  const separator = isWindows(path.text) ? '\\' : '/'
  return { ...globArg(`${folder}${separator}${isWhole ? '*' : filter.text}`), taint: path.taint }
}

function isRoot(path: Arg, host: PowerShellHost): boolean {
  if (isWindows(path.text)) return isWindowsRoot(path.text)
  const resolved = host.resolve(path.text)
  return resolved !== null && isProtectedRoot(resolved, host.state)
}

/** What a condition leaves of a list of files. */
export function narrowed(stream: Stream, host: PowerShellHost): Stream {
  if (stream.listed === null) return { ...stream, taint: stream.taint & ~taints.allProcesses }
  const some = (path: Arg): Arg => {
    const folder = path.text.replace(/[\\/]\*$/, '')
    if (folder === path.text || isRoot({ ...path, text: folder === '' ? '/' : folder }, host)) return path
    return { ...arg(`${folder}/${someMark}`), taint: path.taint }
  }
  return listing(stream.listed.map(some))
}

export const fileCmdlets: Cmdlets = {
  'remove-item': remove,
  'remove-itemproperty': remove,
  'clear-recyclebin': (_call, { host }) => {
    host.report('Q2', 'deletion')
    return nothing
  },
  'clear-content': ({ bound, stdin }, { host }) => {
    for (const path of pathsOf(bound, stdin)) writePath(path, nothing, host)
    return nothing
  },
  'clear-item': remove,
  'get-content': read,
  'import-csv': read,
  'import-clixml': read,
  'import-powershelldatafile': read,
  'format-hex': read,
  'select-string': ({ bound, stdin }, { host }) => {
    const given = argsOf(itemsFor(bound, ['path', 'literalpath'], 1))
    return given.length > 0
      ? joined(given.map((path) => readPath(path, host)))
      : { ...unknownStream(stdin.taint), text: stdin.text === '' ? '' : unknownMark }
  },
  'set-content': write,
  'add-content': write,
  'out-file': write,
  'export-csv': write,
  'export-clixml': write,
  'start-transcript': write,
  'tee-object': tee,
  'new-item': newItem,
  mkdir: ({ bound }, { host }) => makeFolder(argsOf(itemsFor(bound, paths, 0)), host),
  'copy-item': transfer('cp'),
  'move-item': transfer('mv'),
  'rename-item': rename,
  'get-childitem': list,
  'get-item': ({ bound }, { host }) => {
    const given = argsOf(itemsFor(bound, paths, 0)).map((path) => plain(path, host))
    return given.some(({ text }) => /^env:/i.test(text)) ? unknownStream(taints.secret) : listing(given)
  },
  'resolve-path': ({ bound }, { host }) => listing(argsOf(itemsFor(bound, paths, 0)).map((path) => plain(path, host))),
  'convert-path': ({ bound }, { host }) => listing(argsOf(itemsFor(bound, paths, 0)).map((path) => plain(path, host))),
  'join-path': ({ bound }, { host }) => {
    const parts = argsOf([
      ...itemsFor(bound, ['path'], 0),
      ...itemsFor(bound, ['childpath'], 1),
      ...(bound.positional[2]?.items ?? []),
    ])
    const [first, ...rest] = parts
    if (first === undefined) return unknownStream()
    return listing([plain({ ...first, text: [first, ...rest].map(({ text }) => text).join('/') }, host)])
  },
  'expand-archive': ({ bound }, { host }) => {
    const [archive = unknownItem()] = itemsFor(bound, paths, 0)
    const [folder] = itemsFor(bound, ['destinationpath'], 1)
    return host.run([arg('unzip'), arg('-d'), plain(folder?.arg ?? arg('.'), host), plain(archive.arg, host)], nothing)
  },
  'compress-archive': ({ bound }, { host }) => {
    const [target = unknownItem()] = itemsFor(bound, ['destinationpath'], 1)
    const content = joined(argsOf(itemsFor(bound, paths, 0)).map((path) => readPath(path, host)))
    writePath(target.arg, content, host)
    return nothing
  },
}
