/** What a program reads: the files that it names, or its standard input. */

import type { Call, Shell } from '../walk/shell.ts'
import { type Arg, joined, type Stream } from '../walk/value.ts'
import { readOptions } from './options.ts'

export function readOperand(path: Arg, stdin: Stream, shell: Shell): Stream {
  return isStdin(path.text) ? stdin : shell.read(path)
}

export const isStdin = (path: string) => /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(path)

/** All that a filter may read: its operands that are files, or else its input. */
export function inputOf({ args, stdin }: Call, shell: Shell): Stream {
  const { operands } = readOptions(args)
  const files = operands.filter(
    ({ text }) => text.includes('/') || text.includes('.') || shell.state.files.has(shell.resolve(text) ?? ''),
  )
  return joined([stdin, ...files.map((path) => shell.read(path))])
}
