/** Lists what a line would remove, overwrite and connect to, as far as its words show it: for the person who decides. */

import type { PolicySession, Situation } from './judge.ts'
import { fishToBash } from './lex/fish.ts'
import { programName } from './programs/reading.ts'
import { addressesNamed } from './rules/named-in-command.ts'
import type { Checks } from './rules/rule-check.ts'
import { copyState } from './state/policy-state.ts'
import { Evaluation } from './walk/evaluation.ts'
import { shownText, unknownMark } from './walk/value.ts'

export interface Touches {
  /** Absolute paths; `*` in them is any characters. */
  readonly removed: readonly string[]
  readonly written: readonly string[]
  /** Machines, as the line names them. */
  readonly hosts: readonly string[]
}

export const noTouches: Touches = { removed: [], written: [], hosts: [] }

const touchesMax = 32 // of each kind

/** Empty for what is read by no shell that is known. */
export function touchesOf(line: string, { state }: PolicySession, { shell }: Pick<Situation, 'shell'>): Touches {
  const program = shell === 'fish' ? fishToBash(line) : line
  if (program === null || shell === 'pwsh' || shell === 'powershell' || shell === 'cmd') return noTouches
  const removed = new Set<string>()
  const written = new Set<string>()
  const hosts = new Set<string>()
  const add = (to: Set<string>, text: string) => {
    if (to.size < touchesMax && !text.includes(unknownMark)) to.add(shownText(text))
  }
  const recorder: Checks = {
    command: ([word, ...args]) => {
      if (word !== undefined) for (const host of addressesNamed(programName(word.text), args)) add(hosts, host)
      return null
    },
    path: (path, access) => {
      if (path !== null && (access === 'remove' || access === 'write'))
        add(access === 'remove' ? removed : written, path)
      return null
    },
    address: (address) => {
      add(hosts, address)
      return null
    },
    lifted: () => null,
    permits: () => false,
  }
  Evaluation.of(copyState(state), recorder).runText(program)
  return { removed: [...removed], written: [...written].filter((path) => !removed.has(path)), hosts: [...hosts] }
}
