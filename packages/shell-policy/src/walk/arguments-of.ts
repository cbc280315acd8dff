import { assignNode } from './assignments.ts'
import type { Parts } from './command-parts.ts'
import { expandAsOne, expandWord, expandWords, sequences } from './expand.ts'
import type { Arg } from './value.ts'

/** The words behind a command's name, in each way they may come out. */
export function argumentsOf(
  { args }: Parts,
  source: string,
  shell: Parameters<typeof assignNode>[2],
): readonly (readonly Arg[])[] {
  if (args.every((one) => one.type === 'Word')) return expandWords(args, source, shell)
  return sequences(args, (one): readonly (readonly Arg[])[] => {
    if (one.type === 'Word') return expandWord(one, source, shell)
    if (one.value.type === 'ArrayValue') {
      assignNode(one, source, shell)
      return [[]]
    }
    return expandAsOne(one.value, source, shell).map((value) => [
      { ...value, text: `${one.name}${one.index === undefined ? '' : `[${one.index.text}]`}=${value.text}` },
    ])
  })
}
