/** Findings against a line, gathered during the walk: by built-in rules, and by rules of persons and repositories. */

import type { ParsedScript } from 'unbash'
import { isBeyondBounds } from '../lex/literals.ts'
import type { Access, Checks, CommandContext } from '../rules/rule-check.ts'
import { type Code, type Finding, nothingFound, type Rule, strictest } from '../verdict.ts'
import type { Expander } from './expand.ts'
import type { Arg } from './value.ts'

/** The simple command whose rule is at work. */
export interface Current {
  /** The command as findings name it. */
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

/** Programs that wait at the other end of `>(…)`, by the path of the substitution. */
export interface Sink {
  readonly script: ParsedScript
  readonly source: string
}

export class Sinks {
  readonly #open = new Map<string, Sink>()
  #paths = 0

  /** A path for the other end of `<(…)` or `>(…)`. */
  path(): string {
    return `/dev/fd/${63 - this.#paths++}`
  }

  open(path: string, sink: Sink): void {
    this.#open.set(path, sink)
  }

  at(path: string): Sink | undefined {
    return this.#open.get(path)
  }

  closeAll(run: (sink: Sink) => void): void {
    for (const [path, sink] of this.#open) {
      this.#open.delete(path)
      run(sink)
    }
  }
}

const stepsMax = 10_000 // statements, simple commands and turns of loops of one judgement
/** The bounds of work for one judgement; each exceeded bound is reported once. */
export const depthMax = 80 // programs within programs and blocks within blocks
const codeBytesMax = 100_000 // of one program's text, and twice that of all its parts

export class Bounds {
  #steps = 0
  #codeBytes = 0

  /** Counts one step; false when there were too many. */
  mayGoOn(reporter: Pick<Expander, 'tooMuch'>): boolean {
    if (this.#steps > stepsMax) return false
    if (++this.#steps > stepsMax) reporter.tooMuch()
    return this.#steps <= stepsMax
  }

  /** Counts a program's text; false when it is too long, alone or with the others. */
  isWithin(source: string, reporter: Pick<Expander, 'tooMuch'>): boolean {
    this.#codeBytes += source.length
    const isWithin = !isBeyondBounds(source) && source.length <= codeBytesMax && this.#codeBytes <= 2 * codeBytesMax
    if (!isWithin) reporter.tooMuch()
    return isWithin
  }
}
