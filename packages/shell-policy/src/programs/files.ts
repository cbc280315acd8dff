/** Programs that remove, write and change files. */

import { baseName, isAtOrBelow } from '../places/paths.ts'
import {
  isCredential,
  isDisk,
  isGuard,
  isIn,
  isProtectedRoot,
  isStart,
  isSystem,
  placeTables,
} from '../places/places.ts'
import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { type Arg, arg, isKnown, joined, nothing, someMark, unknownMark, unknownStream } from '../walk/value.ts'
import { isInterpreterPath } from './modes.ts'
import { hasFlag, type Options, readOptions, valuesOf } from './options.ts'

/** Removes every operand. An option that cannot be known may be one. */
const remover: Program = ({ args }, shell) => {
  for (const path of readOptions(args).operands) shell.remove(path)
  return nothing
}

const trash: Program = ({ name, args, stdin }, shell) => {
  const { operands } = readOptions(args)
  const from =
    name === 'gio' ? (operands[0]?.text === 'trash' || operands[0]?.text === 'remove' ? 1 : operands.length) : 0
  if (operands.some(({ text }) => /^(empty|list|restore)$/.test(text)) && name.startsWith('trash-')) return nothing
  for (const path of operands.slice(from)) shell.remove(path)
  return unknownStream(stdin.taint)
}

const shred: Program = ({ args }, shell) => {
  const options = readOptions(args, { valued: 'n s iterations size random-source' })
  for (const path of options.operands) shell.remove(path)
  return nothing
}

/** The last operand, or the value of `-t`, and what the file is called there. */
function destinationOf(options: Options): { readonly sources: readonly Arg[]; readonly target: Arg | undefined } {
  const [folder] = valuesOf(options, 't', 'target-directory')
  if (folder !== undefined) return { sources: options.operands, target: folder }
  return {
    sources: options.operands.slice(0, -1),
    target: options.operands.length > 1 ? options.operands.at(-1) : undefined,
  }
}

/** Returns the target path of a file: in a folder it keeps its name. */
function landing(target: Arg, source: Arg, shell: Shell): Arg {
  const path = shell.resolve(target.text)
  const isFolder =
    target.text.endsWith('/') || /(^|\/)\.{1,2}$/.test(target.text) || (path !== null && isFolderBySight(path, shell))
  if (!isFolder) return target
  return {
    ...target,
    text: `${target.text.replace(/\/$/, '')}/${baseName(source.text.replace(/\/+$/, '')).replaceAll(unknownMark, someMark)}`,
  }
}

/** Returns whether a path is a known folder, by its name; does not read the file system. */
function isFolderBySight(path: string, { state }: Shell): boolean {
  return (
    path === state.workspace ||
    path === state.home ||
    isProtectedRoot(path, state) ||
    /\/(bin|sbin|autostart|hooks|user|system|cron\.[a-z]+|\.ssh|\.claude|\.codex|\.agentpty|\.vscode|LaunchAgents|sudoers\.d|profile\.d|plugins?|tmp)$/.test(
      path,
    )
  )
}

const copyOptions = 't target-directory S suffix m mode o owner g group strip-program context sparse reflink backup'

const copy: Program = ({ args }, shell) => {
  const options = readOptions(args, { valued: copyOptions })
  const { sources, target } = destinationOf(options)
  if (target === undefined) return nothing
  const isSetuid = valuesOf(options, 'm', 'mode').some(({ text }) => /^[4-7]\d{3}$|s/.test(text))
  for (const source of sources) {
    if (isSetuid) shell.report(isInterpreterPath(source.text) ? 'D2' : 'Q2', 'privilege')
    const content = source.text.startsWith('-') ? nothing : shell.read(source)
    shell.write(landing(target, source, shell), content)
    judgeOver(target, shell)
  }
  if (options.flags.has('d') && sources.length === 0) shell.write(target, nothing)
  return nothing
}

/** A copy onto a whole tree that must not be replaced is as bad as its loss. */
function judgeOver(target: Arg, shell: Shell): void {
  const path = shell.resolve(target.text)
  if (path !== null && isDisk(path)) shell.report('D2', 'disk-destruction')
}

const move: Program = ({ args }, shell) => {
  const { sources, target } = destinationOf(readOptions(args, { valued: copyOptions }))
  if (target === undefined) return nothing
  for (const source of sources) {
    const path = shell.resolve(source.text)
    if (path === null) shell.report('Q2', 'unresolved')
    else if (isProtectedRoot(path, shell.state)) shell.report('D2', 'root-wipe')
    else if (isIn(placeTables.account, path)) shell.report('D2', 'privilege')
    else if (path === shell.state.workspace || /\/\.git$/.test(path)) shell.report('Q2', 'deletion')
    else if (isGuard(path, shell.state)) shell.report('Q2', 'self-tampering')
    else if (isCredential(path, shell.state) || isStart(path, shell.state))
      shell.report('Q2', isStart(path, shell.state) ? 'persistence' : 'credential-read')
    else if (isSystem(path, shell.state)) shell.report('Q2', 'privilege')
    else if (!isAtOrBelow(path, shell.state.workspace) && !isAtOrBelow(path, '/tmp'))
      shell.report('Q1', 'outside-write')
    const content = shell.state.files.get(path ?? '') ?? unknownStream()
    shell.write(landing(target, source, shell), content)
  }
  return nothing
}

const link: Program = ({ args }, shell) => {
  const options = readOptions(args, { valued: 't target-directory S suffix' })
  const { sources, target } = destinationOf(options)
  const place = target ?? arg(baseName(options.operands[0]?.text ?? 'link'))
  const all = target === undefined ? options.operands : sources
  for (const source of all) {
    const path = shell.resolve(source.text)
    if (path !== null && isCredential(path, shell.state)) shell.report('Q2', 'credential-read')
    const where = landing(place, source, shell)
    shell.write(where, unknownStream())
    const at = shell.resolve(where.text)
    if (at !== null && path !== null && at !== path) shell.state.links.set(at, path)
  }
  return nothing
}

/** Writes every operand. */
const writer =
  (valued: string): Program =>
  ({ args, stdin }, shell) => {
    for (const path of readOptions(args, { valued }).operands) shell.write(path, stdin)
    return nothing
  }

const truncate: Program = ({ args }, shell) => {
  for (const path of readOptions(args, { valued: 's size r reference' }).operands) {
    const resolved = shell.resolve(path.text)
    if (resolved !== null && isProtectedRoot(resolved, shell.state)) shell.report('D2', 'root-wipe')
    shell.write(path, nothing)
  }
  return nothing
}

/** Editors may write what they are given to edit. */
const editor: Program = ({ args }, shell) => {
  for (const path of readOptions(args, { valued: 'c cmd S u T i t l eval load f' }).operands) {
    const resolved = shell.resolve(path.text)
    if (path.text.startsWith('+') || resolved === null) continue
    if (
      isStart(resolved, shell.state) ||
      isGuard(resolved, shell.state) ||
      isSystem(resolved, shell.state) ||
      isDisk(resolved)
    )
      shell.write(path, unknownStream())
  }
  return nothing
}

const rsync: Program = ({ args }, shell) => {
  const options = readOptions(args, {
    valued:
      'e rsh rsync-path exclude include exclude-from include-from files-from f filter backup-dir suffix log-file password-file port timeout bwlimit max-size min-size partial-dir temp-dir T chmod chown link-dest compare-dest copy-dest out-format B M',
  })
  for (const command of [...valuesOf(options, 'e', 'rsh'), ...valuesOf(options, 'rsync-path')])
    shell.runSmuggled(command)
  const target = options.operands.at(-1)
  const sources = options.operands.slice(0, -1)
  if (target === undefined) return nothing
  const isRemote = (path: string) => /^[^/]*:/.test(path)
  const content = joined(sources.filter(({ text }) => !isRemote(text)).map((path) => shell.read(path)))
  if (isRemote(target.text)) {
    if ((content.taint & 4) !== 0) shell.report('D2', 'credential-exfil')
    return nothing
  }
  if (hasFlag(options, 'n', 'dry-run') || sources.length === 0) return nothing
  if ([...options.flags].some((flag) => flag.startsWith('delete') || flag === 'del')) shell.remove(target)
  if (hasFlag(options, 'remove-source-files'))
    for (const source of sources) if (!isRemote(source.text)) shell.remove(source)
  for (const source of sources)
    shell.write(
      // The content of a folder goes to the target itself.
      source.text.endsWith('/') ? target : landing(target, source, shell),
      isRemote(source.text) ? unknownStream(1) : content,
    )
  return nothing
}

export const filePrograms: Programs = {
  ...programsNamed('rm rmdir grm unlink srm wipe rimraf del-cli del rm-cli', remover),
  shred,
  ...programsNamed('trash trash-put trash-empty gio', trash),
  truncate,
  ...programsNamed('cp gcp install', copy),
  mv: move,
  rename: ({ args }, shell) => {
    for (const path of readOptions(args).operands.slice(1)) if (!isKnown(path)) shell.report('Q2', 'outside-write')
    return nothing
  },
  ...programsNamed('ln link', link),
  touch: writer('d r t date reference time'),
  mkdir: writer('m mode Z context'),
  mkfifo: writer('m mode'),
  mknod: ({ args }, shell) => {
    shell.report('Q2', 'privilege')
    for (const path of args.slice(0, 1)) shell.write(path, unknownStream())
    return nothing
  },
  sponge: writer(''),
  split: ({ args, stdin }, shell) => {
    const options = readOptions(args, { valued: 'b C l n a filter bytes lines number suffix-length additional-suffix' })
    const [, prefix] = options.operands
    if (prefix !== undefined) shell.write(prefix, stdin)
    return nothing
  },
  rsync,
  ...programsNamed('vim vi nvim nano pico emacs emacsclient code micro hx', editor),
}
