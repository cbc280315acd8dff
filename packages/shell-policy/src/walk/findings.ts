/** What speaks against a line, gathered while it is walked: by the rules that are built in, and by those of persons and repositories. */

import type { Access, Checks, CommandContext } from '../rules/rule-check.ts'
import { type Code, type Finding, nothingFound, type Rule, strictest } from '../verdict.ts'
import type { Arg } from './value.ts'

/** The simple command whose rule is at work. */
export interface Current {
  /** As findings name it. */
  readonly named: readonly Arg[]
  /** Empty while code of its own runs: no rule for the command speaks of that. */
  readonly words: readonly Arg[]
}

export class Findings {
  /** Null where there are no such rules, which is the usual case. */
  readonly #rules: Checks | null
  #found: Finding = nothingFound
  /** A rule of the user has lifted what speaks against a command. */
  #lifted: Finding | null = null

  constructor(rules: Checks | null) {
    this.#rules = rules
  }

  get strictest(): Finding {
    return this.#found.code === 'A' ? (this.#lifted ?? this.#found) : this.#found
  }

  /** `isPlaced`: the folder it runs in is known. */
  report(finding: Finding, { words, isPlaced }: Pick<Current, 'words'> & { readonly isPlaced: boolean }): void {
    const lifted = this.#rules?.lifted(finding, words, isPlaced) ?? null
    if (lifted === null) this.#found = strictest(this.#found, finding)
    else this.#lifted ??= lifted
  }

  command(words: readonly Arg[], context: CommandContext): void {
    if (this.#rules !== null) this.#add(this.#rules.command(words, context))
  }

  /** `path` is absolute; null when it cannot be known. `/dev/tcp` is a machine. */
  path(path: string | null, access: Access): void {
    if (this.#rules === null || path === null) return
    this.#add(/^\/dev\/(tcp|udp)\//.test(path) ? this.#rules.address(path) : this.#rules.path(path, access))
  }

  address(address: string): void {
    if (this.#rules !== null) this.#add(this.#rules.address(address))
  }

  /** Whether a rule of the user lifts what reading or writing a path means. */
  permits(path: string | null, access: 'read' | 'write', effect: readonly [Code, Rule]): boolean {
    return this.#rules?.permits(path, access, effect) === true
  }

  #add(finding: Finding | null): void {
    if (finding !== null) this.#found = strictest(this.#found, finding)
  }
}
