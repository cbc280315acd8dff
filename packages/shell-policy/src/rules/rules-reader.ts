/** Makes rules of the texts of one file, and collects what is wrong with them. */

import type { PolicyProblem, RuleSource, Written } from '@agentpty/protocol/policy'
import { parseCommandPattern, type Reach } from './command-pattern.ts'
import type { CommandRule, PathRule, PolicyRules, Rule, Sourced } from './policy-rules.ts'
import { parseUrlPattern } from './url-pattern.ts'
import { type PathPlace, parsePathPattern } from './wildcard.ts'

/** The advice for an invalid pattern. */
const shapeAdvice = 'For example: docker push, npm run *, /docker\\s+push/'

export class RulesReader {
  readonly #file: string
  readonly #place: PathPlace
  readonly #problems: PolicyProblem[] = []

  constructor(file: string, place: PathPlace) {
    this.#file = file
    this.#place = place
  }

  get problems(): readonly PolicyProblem[] {
    return this.#problems
  }

  at(line: number): RuleSource {
    return { file: this.#file, line }
  }

  problem(mark: PolicyProblem['mark'], { line, found, advice }: Omit<PolicyProblem, 'file' | 'mark'>): void {
    if (this.#problems.length < problemsMax)
      this.#problems.push({ ...this.at(line), mark, found: plain(found), advice })
  }

  sourced<Value>(one: Written<Value> | null): Sourced<Value> | null {
    return one === null ? null : { value: one.value, source: this.at(one.line) }
  }

  commands(texts: readonly Written<string>[], key: string, reach: Reach): readonly CommandRule[] {
    return this.rules(texts, { key, advice: shapeAdvice }, (text) => parseCommandPattern(text, reach))
  }

  paths(texts: readonly Written<string>[], key: string): readonly PathRule[] {
    const advice = 'For example: .env, secrets/, ~/notes/*.txt'
    return this.rules(texts, { key, advice }, (text) => parsePathPattern(text, this.#place))
  }

  urls(texts: readonly Written<string>[], key: string): PolicyRules['urls']['deny'] {
    return this.rules(texts, { key, advice: 'For example: example.com, *.example.com' }, parseUrlPattern)
  }

  tools(texts: readonly Written<string>[]): PolicyRules['tools']['deny'] {
    return texts.map(({ value, line }) => ({ pattern: value.toLowerCase(), text: value, source: this.at(line) }))
  }

  rules<Pattern extends { readonly kind: string }>(
    texts: readonly Written<string>[],
    { key, advice }: { readonly key: string; readonly advice: string },
    parse: (text: string) => Pattern | { readonly problem: string },
  ): readonly Rule<Pattern>[] {
    return texts.flatMap(({ value, line }) => {
      const pattern = value.trim() === '' ? { problem: 'nothing but blanks' } : parse(value)
      if (!('problem' in pattern)) return [{ pattern, text: value, source: this.at(line) }]
      const found = `${key}: ${JSON.stringify(value)} has ${pattern.problem}.`
      this.problem('wrong', { line, found, advice })
      return []
    })
  }
}

const problemsMax = 50 // reported for one file

/** Text from files is not ours: it stays on its line and moves no cursor. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300)
}
