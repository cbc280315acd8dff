import type { Stream } from '../walk/value.ts'
import type { Bound, Given } from './bind.ts'
import type { PowerShellRunner } from './host.ts'
import type { Item } from './item.ts'

/** One command, resolved. */
export interface CmdletCall {
  /** In small letters. */
  readonly name: string
  readonly words: readonly Given[]
  readonly bound: Bound
  readonly stdin: Stream
}

export type Cmdlet = (call: CmdletCall, runner: PowerShellRunner) => Stream
export type Cmdlets = Readonly<Record<string, Cmdlet>>

/** All that a command was given, in its order. */
export const givenItems = ({ words }: CmdletCall): readonly Item[] => words.flatMap(({ items }) => items)
