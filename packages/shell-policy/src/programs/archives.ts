/** Archives: what is put in, what comes out, and where it came from. */

import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { type Arg, arg, joined, nothing, type Stream, unknownMark, unknownStream } from '../walk/value.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'

const tar: Program = ({ args, stdin }, shell) => {
  const [first, ...rest] = args
  const bundled =
    first !== undefined && /^[a-zA-Z]+$/.test(first.text) ? [{ ...first, text: `-${first.text}` }, ...rest] : args
  const options = readOptions(bundled, {
    valued:
      'f C T X I F b H K L N V g file directory exclude exclude-from files-from strip-components transform use-compress-program to-command checkpoint-action checkpoint info-script new-volume-script rsh-command owner group mode mtime format one-file-system listed-incremental suffix',
  })
  const [folder] = valuesOf(options, 'C', 'directory', 'one-top-level')
  const [archive] = valuesOf(options, 'f', 'file')
  const isCreation = hasFlag(options, 'c', 'create', 'r', 'append', 'u', 'update')
  if (isCreation) {
    const input = joined(options.operands.map((path) => shell.read(path)))
    if (hasFlag(options, 'remove-files')) for (const path of options.operands) shell.remove(path)
    if (archive !== undefined && archive.text !== '-') shell.write(archive, input)
    return archive === undefined || archive.text === '-' ? input : nothing
  }
  if (hasFlag(options, 't', 'list')) return unknownStream()
  // Names in the archive may begin with a slash.
  if (hasFlag(options, 'P', 'absolute-names')) shell.write(arg(unknownMark), unknownStream())
  const input = archive === undefined || archive.text === '-' ? stdin : knownFile(archive, shell)
  return unpack(folder ?? arg('.'), input, hasFlag(options, 'O', 'to-stdout'), shell)
}

function knownFile(path: Arg, shell: Shell): Stream {
  return shell.state.files.get(shell.resolve(path.text) ?? '') ?? unknownStream(path.taint)
}

/** Unpacks content. Content from the network keeps its taint. */
function unpack(folder: Arg, content: Stream, isPrinted: boolean, shell: Shell): Stream {
  if (isPrinted) return unknownStream(content.taint | 2)
  const resolved = shell.resolve(folder.text)
  shell.write(folder, unknownStream())
  if (resolved !== null && (content.taint & 1) !== 0) shell.state.fetchedFolders.push(resolved)
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

export const archivePrograms: Programs = {
  ...programsNamed('tar gtar bsdtar', tar),
  unzip,
  zip,
}
