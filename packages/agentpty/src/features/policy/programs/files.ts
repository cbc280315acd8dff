/** Programs that remove, write and change files. */

import { hasFlag, type Options, readOptions, valuesOf } from '../options.ts'
import { baseName, isAtOrBelow } from '../paths.ts'
import { isCredential, isDisk, isGuard, isIn, isProtectedRoot, isStart, isSystem, placeTables } from '../places.ts'
import type { Program, Programs, Shell } from '../shell.ts'
import { type Arg, arg, isKnown, joined, nothing, type Stream, unknownMark, unknownStream } from '../value.ts'

/** Removes every operand. An option that cannot be known may be one. */
function remover(valued = '', ownWords = 0): Program {
  return ({ args }, shell) => {
    const options = readOptions(args, { valued })
    for (const path of options.operands.slice(ownWords)) shell.remove(path)
    return nothing
  }
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

/** Where a file lands: in a folder it keeps its name. */
function landing(target: Arg, source: Arg, shell: Shell): Arg {
  const path = shell.resolve(target.text)
  const isFolder =
    target.text.endsWith('/') || /(^|\/)\.{1,2}$/.test(target.text) || (path !== null && isFolderBySight(path, shell))
  if (!isFolder) return target
  return { ...target, text: `${target.text.replace(/\/$/, '')}/${baseName(source.text.replace(/\/+$/, ''))}` }
}

/** Known folders, by their names: nothing looks at the file system. */
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
  for (const source of sources) {
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
    else if (isGuard(path)) shell.report('Q2', 'self-tampering')
    else if (isCredential(path) || isStart(path)) shell.report('Q2', isStart(path) ? 'persistence' : 'credential-read')
    else if (isSystem(path)) shell.report('Q2', 'privilege')
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
    if (path !== null && isCredential(path)) shell.report('Q2', 'credential-read')
    const where = landing(place, source, shell)
    shell.write(where, unknownStream())
    const at = shell.resolve(where.text)
    if (at !== null && path !== null && at !== path) shell.state.links.set(at, path)
  }
  return nothing
}

/** Writes every operand; `extra` are options whose values are written as well. */
const writer =
  (valued: string, ...extra: readonly string[]): Program =>
  ({ args, stdin }, shell) => {
    const options = readOptions(args, { valued })
    for (const path of [...options.operands, ...valuesOf(options, ...extra)]) shell.write(path, stdin)
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

/** `chmod`, `chown`, `chgrp`, `chattr`, `setfacl`: on a whole protected tree, or on what guards accounts. */
const changeMode: Program = ({ name, args }, shell) => {
  const options = readOptions(
    args.map((one) => (/^-[rwxXst]+$/.test(one.text) ? { ...one, text: `a${one.text}` } : one)),
    { valued: 'reference from m modify x remove M set' },
  )
  const isRecursive = hasFlag(options, 'R', 'recursive')
  const hasMode = !(name === 'setfacl' || valuesOf(options, 'reference').length > 0)
  const mode = hasMode ? (options.operands[0]?.text ?? '') : ''
  const adds = /^[0-7]?[4-7][0-7]{3}$|[ugoa]*\+[rwxX]*s|=[rwx]*s/.test(mode) && name === 'chmod'
  for (const path of options.operands.slice(hasMode ? 1 : 0)) {
    const resolved = shell.resolve(path.text)
    if (resolved === null) {
      shell.report(isRecursive ? 'Q2' : 'Q2', 'outside-write')
      continue
    }
    if (adds && isInterpreterPath(resolved)) shell.report('D2', 'privilege')
    if (isProtectedRoot(resolved, shell.state)) shell.report(...rootModeEffect(name, mode, isRecursive, resolved))
    else if (
      name !== 'setfacl' &&
      /^[0-7]*[4-7]00$|^(go|o|g)-|^u[+=]/.test(mode) &&
      isAtOrBelow(resolved, shell.state.home) &&
      !adds
    )
      continue
    else if (isCredential(resolved) || /\/\.ssh$/.test(resolved)) shell.report('Q2', 'credential-read')
    else shell.write(path, shell.state.files.get(resolved) ?? unknownStream())
  }
  return nothing
}

function rootModeEffect(
  name: string,
  mode: string,
  isRecursive: boolean,
  path: string,
): readonly ['D2' | 'Q2', 'root-wipe' | 'privilege'] {
  if (isRecursive) return ['D2', 'root-wipe']
  const opens = name === 'chmod' && /[2367]$|o[+=]\S*w|a[+=]\S*w|^\+\S*w|^777/.test(mode)
  const closes = name === 'chmod' && /^0*$|^[0-7]?0/.test(mode)
  return opens || closes || path.includes('*') ? ['D2', opens ? 'privilege' : 'root-wipe'] : ['Q2', 'privilege']
}

const isInterpreterPath = (path: string) =>
  /^(ba|z|da|k|c|tc|fi|)sh$|^(python|perl|ruby|node|php|lua|vim?|nano|less|find|awk|env|cp|dd|tee|busybox|nmap|gdb|tar|su|sudo|docker|rsync)[\d.]*$/.test(
    baseName(path),
  )

const setcap: Program = ({ args }, shell) => {
  const path = args.at(-1)
  const resolved = path === undefined ? null : shell.resolve(path.text)
  const isRemoval = args.some(({ text }) => text === '-r')
  shell.report(!isRemoval && (resolved === null || isInterpreterPath(resolved)) ? 'D2' : 'Q2', 'privilege')
  return nothing
}

// --- archives ---

const tar: Program = ({ args, stdin }, shell) => {
  const [first, ...rest] = args
  const bundled =
    first !== undefined && /^[a-zA-Z]+$/.test(first.text) ? [{ ...first, text: `-${first.text}` }, ...rest] : args
  const options = readOptions(bundled, {
    valued:
      'f C T X I F b H K L N V g file directory exclude exclude-from files-from strip-components transform use-compress-program to-command checkpoint-action checkpoint info-script new-volume-script rsh-command owner group mode mtime format one-file-system listed-incremental suffix',
  })
  const [folder] = valuesOf(options, 'C', 'directory')
  const [archive] = valuesOf(options, 'f', 'file')
  const isCreation = hasFlag(options, 'c', 'create', 'r', 'append', 'u', 'update')
  if (isCreation) {
    const input = joined(options.operands.map((path) => shell.read(path)))
    if (hasFlag(options, 'remove-files')) for (const path of options.operands) shell.remove(path)
    if (archive !== undefined && archive.text !== '-') shell.write(archive, input)
    return archive === undefined || archive.text === '-' ? input : nothing
  }
  if (hasFlag(options, 't', 'list')) return unknownStream()
  const input = archive === undefined || archive.text === '-' ? stdin : knownFile(archive, shell)
  return unpack(folder ?? arg('.'), input, hasFlag(options, 'O', 'to-stdout'), shell)
}

function knownFile(path: Arg, shell: Shell): Stream {
  return shell.state.files.get(shell.resolve(path.text) ?? '') ?? unknownStream(path.taint)
}

/** What came from the network and is unpacked is still from there. */
function unpack(folder: Arg, content: Stream, isPrinted: boolean, shell: Shell): Stream {
  if (isPrinted) return unknownStream(content.taint | 2)
  const resolved = shell.resolve(folder.text)
  if (folder.text !== '.') shell.write({ ...folder, text: `${folder.text}/unpacked` }, unknownStream())
  if (resolved !== null && (content.taint & 1) !== 0)
    Object.assign(shell.state, { fetchedFolders: [...shell.state.fetchedFolders, resolved] })
  return nothing
}

const unzip: Program = ({ args }, shell) => {
  const options = readOptions(args, { valued: 'd x P' })
  const [archive] = options.operands
  if (archive === undefined || hasFlag(options, 'l', 't', 'Z', 'v')) return unknownStream()
  return unpack(valuesOf(options, 'd')[0] ?? arg('.'), knownFile(archive, shell), hasFlag(options, 'p', 'c'), shell)
}

const zip: Program = ({ args }, shell) => {
  const options = readOptions(args, { valued: 'b n t tt i x O temp-path unzip-command TT' })
  const [archive, ...sources] = options.operands
  if (archive !== undefined && archive.text !== '-')
    shell.write(archive, joined(sources.map((path) => shell.read(path))))
  if (hasFlag(options, 'm', 'move')) for (const path of sources) shell.remove(path)
  return nothing
}

const sed: Program = ({ args, stdin }, shell) => {
  const options = readOptions(
    args.filter(({ text }) => !/^-[nErsuz]*i/.test(text) && !text.startsWith('--in-place')),
    { valued: 'e f l expression file line-length' },
  )
  const scripts = valuesOf(options, 'e', 'expression')
  const files =
    valuesOf(options, 'f', 'file').length > 0 || scripts.length > 0 ? options.operands : options.operands.slice(1)
  const isInPlace = args.some(({ text }) => /^-[nErsuz]*i/.test(text) || text.startsWith('--in-place'))
  for (const script of scripts.length > 0 ? scripts : options.operands.slice(0, 1)) judgeSedScript(script, shell)
  if (isInPlace) for (const path of files) shell.write(path, unknownStream())
  const input = files.length > 0 ? joined(files.map((path) => shell.read(path))) : stdin
  return isInPlace ? nothing : { text: unknownMark, taint: input.taint, listed: null }
}

/** `e` runs a command, `w` writes a file; both also at the end of `s///`. */
function judgeSedScript({ text, taint }: Arg, shell: Shell): void {
  const body = text.length > 20_000 ? text.slice(0, 20_000) : text
  for (const line of body
    .split('\n')
    .flatMap((one) => (/^\s*[0-9,$!]*\s*[ew]\s/.test(one) ? [one] : splitCommands(one)))) {
    const command =
      /^\s*(?:\d+|\$|\/(?:[^/\\]|\\.)*\/)?(?:,(?:\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*e(?:\s+(.*))?$/.exec(line)
    if (command !== null) {
      if (command[1] === undefined) shell.report('Q2', 'smuggled-exec')
      else shell.runSmuggled({ text: command[1], taint, isGlob: false })
      continue
    }
    const write = /^\s*(?:\d+|\$|\/(?:[^/\\]|\\.)*\/)?(?:,(?:\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*[wW]\s+(.+)$/.exec(
      line,
    )
    if (write?.[1] !== undefined) shell.write({ text: write[1], taint, isGlob: false }, unknownStream())
    const substitution = /(?:^|[\s;{}0-9$/])s([^\w\s\\])/.exec(line)
    if (substitution !== null)
      judgeSubstitution(line.slice(substitution.index + substitution[0].length), substitution[1] ?? '/', taint, shell)
  }
}

const splitCommands = (line: string) =>
  /[;{}]/.test(line) && !/s[^\w\s].*[;{}].*/.test(line) ? line.split(/[;{}]/) : [line]

function judgeSubstitution(text: string, delimiter: string, taint: number, shell: Shell): void {
  const parts: string[] = ['']
  const append = (more: string) => parts.push(`${parts.pop() ?? ''}${more}`)
  for (let at = 0; at < text.length && parts.length < 3; at++) {
    if (text[at] === '\\') append(text[++at] === delimiter ? delimiter : `\\${text[at] ?? ''}`)
    else if (text[at] === delimiter) parts.push(parts.length === 2 ? text.slice(at + 1) : '')
    else append(text[at] ?? '')
  }
  const [, replacement = '', flags = ''] = parts
  const own = /^[gpiImM0-9]*e[gpiImM0-9e]*/.exec(flags)
  if (own !== null) shell.runSmuggled({ text: replacement.replace(/\\(.)/g, '$1'), taint, isGlob: false })
  const file = /^[gpiImM0-9]*w\s+(\S+)/.exec(flags)
  if (file?.[1] !== undefined) shell.write({ text: file[1], taint, isGlob: false }, unknownStream())
}

/** Editors may write what they are given to edit. */
const editor: Program = ({ args }, shell) => {
  for (const path of readOptions(args, { valued: 'c cmd S u T i t l eval load f' }).operands) {
    const resolved = shell.resolve(path.text)
    if (path.text.startsWith('+') || resolved === null) continue
    if (isStart(resolved) || isGuard(resolved) || isSystem(resolved) || isDisk(resolved))
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
    shell.write(landing(target, source, shell), isRemote(source.text) ? unknownStream(1) : content)
  return nothing
}

export const filePrograms: Programs = {
  rm: remover(),
  rmdir: remover(),
  grm: remover(),
  unlink: remover(),
  srm: remover(),
  wipe: remover(),
  shred,
  trash,
  'trash-put': trash,
  'trash-empty': (call, shell) => trash(call, shell),
  gio: trash,
  rimraf: remover(),
  'del-cli': remover(),
  del: remover(),
  'rm-cli': remover(),
  truncate,
  cp: copy,
  gcp: copy,
  install: copy,
  mv: move,
  rename: ({ args }, shell) => {
    for (const path of readOptions(args).operands.slice(1)) if (!isKnown(path)) shell.report('Q2', 'outside-write')
    return nothing
  },
  ln: link,
  link,
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
  chmod: changeMode,
  chown: changeMode,
  chgrp: changeMode,
  chattr: (call, shell) =>
    changeMode(
      {
        ...call,
        args: call.args.map((one) =>
          /^[-+=][a-zA-Z]+$/.test(one.text) && !/^-[RVf]+$/.test(one.text)
            ? { ...one, text: one.text.replace(/^[-+=]/, 'attr') }
            : one,
        ),
      },
      shell,
    ),
  setfacl: changeMode,
  setcap,
  tar,
  gtar: tar,
  bsdtar: tar,
  unzip,
  zip,
  sed,
  gsed: sed,
  rsync,
  vim: editor,
  vi: editor,
  nvim: editor,
  nano: editor,
  pico: editor,
  emacs: editor,
  emacsclient: editor,
  code: editor,
  micro: editor,
  hx: editor,
}
