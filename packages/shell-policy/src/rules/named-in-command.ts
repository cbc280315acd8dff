/**
 * Finds the paths and addresses that the words of a simple command name, for the rules of persons. Wrappers pass their command on, so each
 * command is read separately. Targets that a program uses without naming them are unknown here.
 */

import { readOptions, valuesOf } from '../programs/options.ts'
import { readsNothing } from '../programs/reading.ts'
import { type Arg, unknownMark } from '../walk/value.ts'
import { addressTable, dataPrograms, fileVerbs, nameOnly, remoteVerbs, textFirst } from './named-in-command-table.ts'

/** Longer words are data. */
const wordMax = 4_096

/** Returns words that may be paths, unchanged. Paths that known programs read and write are found separately. */
export function pathsNamed(name: string, args: readonly Arg[]): readonly string[] {
  if (dataPrograms.has(name) || nameOnly.has(name)) return []
  const isAnyWord = !readsNothing.has(name) || name === 'scp' || fileVerbs.has(`${name} ${verbOf(args)}`)
  const operands = textFirst.has(name) ? withoutFirstOperand(args) : args
  return operands
    .filter(({ text }) => text.length <= wordMax && !/^\w[\w+.-]*:\/\//.test(text))
    .flatMap(({ text }) => {
      const whole = isOption(text) ? behindEquals(text) : text
      // `@file` is a path in any position; other words of such programs may name something else.
      const files = text.split(/[@<]/).slice(1)
      const others = [whole, ...text.split(/[=:,]/).slice(1)]
      return [
        ...files,
        ...others.filter((one) => (isAnyWord ? !/\s/.test(one) : /[/.]/.test(one)) || one.includes('/')),
      ]
    })
    .filter((text) => text !== '' && !text.startsWith('-'))
}

const isOption = (text: string) => text.startsWith('-')
const behindEquals = (text: string) => (text.includes('=') ? text.slice(text.indexOf('=') + 1) : '')
const verbOf = (args: readonly Arg[]) => args.find(({ text }) => /^[a-z][a-z0-9-]*$/.test(text))?.text ?? ''

function withoutFirstOperand(args: readonly Arg[]): readonly Arg[] {
  const at = args.findIndex(({ text }) => !isOption(text))
  return args.filter((_one, index) => index !== at)
}

/** Words that name other machines. */
export function addressesNamed(name: string, args: readonly Arg[]): readonly string[] {
  if (dataPrograms.has(name)) return []
  const row = Object.hasOwn(addressTable, name) ? addressTable[name] : undefined
  const words = args.map(({ text }) => text).filter((text) => text.length <= wordMax)
  const named = row === undefined ? [] : operandsOf(row, args)
  const remote = row?.remote === true || remoteVerbs.has(`${name} ${verbOf(args)}`) ? remotePath : remoteOfUser
  return [...new Set([...named, ...words.flatMap(withScheme), ...words.flatMap(remote)])]
}

type AddressRow = (typeof addressTable)[string]

function operandsOf({ valued, first, options = [] }: AddressRow, args: readonly Arg[]): readonly string[] {
  const read = readOptions(args, { valued, stopsAtOperand: first === 'stops' })
  const operands = first === undefined ? [] : first === 'all' ? read.operands : read.operands.slice(0, 1)
  // Methods of HTTP, fields and files are none.
  const texts = operands.map(({ text }) => text)
  const hosts = texts.filter((text) => text === unknownMark || !/^[+@./~]|^[A-Z]+$|^[\w-]+:?=/.test(text))
  const servers = first === 'all' ? texts.filter((text) => text.startsWith('@')).map((text) => text.slice(1)) : []
  return [...hosts, ...servers, ...valuesOf(read, ...options).flatMap(({ text }) => hostsIn(text))]
}

/** `good.example:443:bad.example:443`, `HostName=bad.example`, `me@bad.example,other.example`. */
function hostsIn(value: string): readonly string[] {
  if (value.includes(unknownMark)) return [value]
  return value
    .split(/[\s,=@:]+/)
    .map((part) => part.replace(/^\/+|\/.*$/g, ''))
    .filter((part) => part.includes('.') || part === 'localhost')
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

/** `user@host:path`. */
function remoteOfUser(text: string): readonly string[] {
  return /^[\w.-]+@[\w.-]+:[^:@]/.test(text) ? [text] : []
}
