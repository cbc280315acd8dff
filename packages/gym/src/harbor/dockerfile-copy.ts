/** COPY and ADD: which files of the task's `environment/` are put where. Addresses, other stages and archives that would be unpacked are refused. */

import { posix } from 'node:path'
import {
  type Expanding,
  expandText,
  expandWord,
  type InstructionLine,
  jsonWords,
  refusedLine,
  splitWords,
} from './dockerfile-lines.ts'

export interface CopyStep {
  readonly kind: 'copy'
  readonly line: number
  readonly source: /** From the folder of the Dockerfile; it may have `*` and `?`. Of a folder, what is in it is copied. */
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'text'; readonly name: string; readonly content: string }
  /** Absolute. */
  readonly target: string
  /** The target is a folder, into which the source is put under its own name. */
  readonly isInto: boolean
  /** `user`, `user:group` or numbers; null: the superuser. */
  readonly owner: string | null
  /** Octal; null: as the source. */
  readonly mode: string | null
}

export interface CopyPlace extends Expanding {
  readonly workdir: string
}

const archive = /\.(?:tar|tgz|tbz2?|txz|tzst|tar\.(?:gz|bz2|xz|zst))$/i
const address = /^(?:[a-z][a-z\d+.-]*:\/\/|git@)/i

/** Returns one copy for each source. Errors: `invalid_input`, with the line. */
export function copySteps(line: InstructionLine, place: CopyPlace): readonly CopyStep[] {
  const { flags, rest } = splitFlags(line)
  const words = (jsonWords(rest) ?? splitWords(rest)).map((word) => expandWord(word, place))
  const target = words.at(-1)
  const sources = words.slice(0, -1)
  if (target === undefined || sources.length === 0)
    throw refusedLine(line.line, `${line.word} ${line.rest} cannot be read`, `Write ${line.word} FILE TARGET.`)
  const isInto = target.endsWith('/') || sources.length > 1 || target === '.' || target.endsWith('/.')
  return sources.map((source) => ({
    kind: 'copy',
    line: line.line,
    source: sourceOf(source, line, place),
    target: posix.resolve(place.workdir, target),
    isInto,
    owner: flags.get('chown') ?? null,
    mode: flags.get('chmod') ?? null,
  }))
}

const flag = /^--([\w-]+)(?:=(\S*))?\s*/

function splitFlags(line: InstructionLine) {
  const flags = new Map<string, string>()
  let { rest } = line
  for (let found = flag.exec(rest); found !== null; found = flag.exec(rest)) {
    const [whole, name = '', value = ''] = found
    const isKnown =
      name === 'chown' ? /^[\w.-]+(?::[\w.-]+)?$/.test(value) : name === 'chmod' && /^0?[0-7]{3,4}$/.test(value)
    if (!isKnown)
      throw refusedLine(
        line.line,
        `${line.word} ${whole.trim()} is not supported`,
        'Only --chown=USER:GROUP and --chmod=OCTAL can be followed; put other files into environment/.',
      )
    flags.set(name, value)
    rest = rest.slice(whole.length)
  }
  return { flags, rest }
}

function sourceOf(word: string, line: InstructionLine, place: CopyPlace): CopyStep['source'] {
  const [, name] = /^<<-?(.+)$/.exec(word) ?? []
  const document = line.hereDocuments.find((one) => one.name === name)
  if (document !== undefined)
    return {
      kind: 'text',
      name: document.name,
      content: document.isQuoted ? document.content : expandText(document.content, place),
    }
  if (address.test(word))
    throw refusedLine(line.line, `${line.word} ${word} would fetch it`, 'Put the file into environment/, and COPY it.')
  if (line.word === 'ADD' && archive.test(word))
    throw refusedLine(line.line, `ADD ${word} would unpack it`, 'Put its files into environment/, and COPY them.')
  // The folder of the Dockerfile is the root of what can be copied.
  return { kind: 'path', path: posix.normalize(word.replace(/^\/+/, './')) }
}
