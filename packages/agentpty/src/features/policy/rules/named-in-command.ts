/**
 * Which paths and addresses the words of a simple command name, for the rules of persons. Wrappers hand their command on, so each is looked
 * at by itself. What a program goes to without naming it is not known here.
 */

import { readOptions, valuesOf } from '../options.ts'
import { readsNothing } from '../programs/plain.ts'
import { type Arg, unknownMark } from '../value.ts'
import { addressTable, dataPrograms, textFirst } from './named-in-command-table.ts'

/** Longer words are data. */
const wordMax = 4_096

/** Words that may be paths, as they stand there. What programs are known to read and write is seen by itself. */
export function pathsNamed(name: string, args: readonly Arg[]): readonly string[] {
  if (dataPrograms.has(name)) return []
  const isKnown = readsNothing.has(name)
  const operands = textFirst.has(name) ? withoutFirstOperand(args) : args
  return operands
    .filter(({ text }) => text.length <= wordMax && !/^\w[\w+.-]*:\/\//.test(text))
    .flatMap(({ text }) => [isOption(text) ? behindEquals(text) : text, ...text.split(/[@=:,<]/).slice(1)])
    .filter((text) => text !== '' && !text.startsWith('-') && (text.includes('/') || (!isKnown && !/\s/.test(text))))
}

const isOption = (text: string) => text.startsWith('-')
const behindEquals = (text: string) => (text.includes('=') ? text.slice(text.indexOf('=') + 1) : '')

function withoutFirstOperand(args: readonly Arg[]): readonly Arg[] {
  const at = args.findIndex(({ text }) => !isOption(text))
  return args.filter((_one, index) => index !== at)
}

/** Words that name other machines. */
export function addressesNamed(name: string, args: readonly Arg[]): readonly string[] {
  if (dataPrograms.has(name)) return []
  const row = Object.hasOwn(addressTable, name) ? addressTable[name] : undefined
  const anywhere = args.map(({ text }) => text).filter((text) => text.length <= wordMax)
  const named = row === undefined ? [] : operandsOf(row, args)
  return [...new Set([...named, ...anywhere.flatMap(withScheme), ...(row?.remote ? anywhere.flatMap(remotePath) : [])])]
}

function operandsOf(
  { valued, first, options = [] }: (typeof addressTable)[string],
  args: readonly Arg[],
): readonly string[] {
  const read = readOptions(args, { valued, stopsAtOperand: first === 'stops' })
  const operands = first === undefined ? [] : first === 'all' ? read.operands : read.operands.slice(0, 1)
  const texts = operands
    .map(({ text }) => text)
    .filter((text) => !/^[+@./~]|^[A-Z]+$|=/.test(text) || text === unknownMark)
  const servers = read.operands.flatMap(({ text }) => (text.startsWith('@') ? [text.slice(1)] : []))
  const parts = valuesOf(read, ...options).flatMap(({ text }) =>
    text.split(/:(?=[^:])/).filter((part) => /[a-z.]/i.test(part) || /\d\.\d/.test(part)),
  )
  return [...texts, ...(first === 'all' ? servers : []), ...parts]
}

/** `https://…`, also behind an option’s `=`; `file:` is none. */
function withScheme(text: string): readonly string[] {
  const found = /^(?:--?[\w-]+=)?([a-z][a-z0-9+.-]*:\/\/.*)$/is.exec(text)
  return found?.[1] === undefined || /^(file|data|unix|jar):/i.test(found[1]) ? [] : [found[1]]
}

/** `user@host:path`, `host:path`. */
function remotePath(text: string): readonly string[] {
  return /^([\w.-]+@)?[\w.-]+:(?!\/\/)/.test(text) && !/^[A-Za-z]:\\/.test(text) ? [text] : []
}

/** Addresses in the text of a program. */
export function addressesIn(code: string): readonly string[] {
  const found = code.slice(0, 30_000).match(/\b(?:https?|ftp|wss?|ssh|git|tcp):\/\/[^\s"'`<>)\]},;]{1,500}/gi) ?? []
  return found.slice(0, 50)
}
