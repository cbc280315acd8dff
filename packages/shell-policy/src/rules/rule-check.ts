/**
 * The rules of persons and repositories, tested on what one line would do. Made for one judgement: what was tested is not tested again,
 * and the work of all expressions together is bounded; beyond it the line is asked about.
 */

import type { RuleSource } from '@agentpty/protocol/policy'
import { isAtOrBelow, mayName } from '../places/paths.ts'
import { programName } from '../programs/reading.ts'
import { type Finding, isStricter, type Rule as RuleName } from '../verdict.ts'
import { type Arg, isStatic, shownText, unknownMark } from '../walk/value.ts'
import { type Address, parseAddress } from './address.ts'
import { type Command, fitsCommand, fitsTexts } from './command-pattern.ts'
import { type Work, workMax } from './expression.ts'
import { addressesNamed, pathsNamed } from './named-in-command.ts'
import type { CommandRule, PolicyRules } from './policy-rules.ts'
import { fitsAddress } from './url-pattern.ts'
import { coversPath, type Fit, liesBelow } from './wildcard.ts'

/** The effect of a line on a path. `named`: unknown. */
export type Access = 'named' | 'read' | 'write' | 'remove'

export interface CommandContext {
  /** Absolute and normal; null when it cannot be known. */
  readonly resolve: (path: string) => string | null
  /** PowerShell and cmd ignore case. */
  readonly ignoresCase?: boolean
}

export type Checks = Pick<RuleCheck, 'command' | 'path' | 'address' | 'lifted' | 'permits'>

/** Null where there is nothing to test. */
export function ruleCheck(rules: PolicyRules | undefined): RuleCheck | null {
  if (rules === undefined) return null
  const { deny, ask, allow, paths, urls, guarded } = rules
  const lists = [deny, ask, allow, paths.read, paths.write, paths.deny, urls.only, urls.deny, guarded]
  return lists.every((list) => list.length === 0) ? null : new RuleCheck(rules)
}

const knownMax = 2_000 // answers kept of one line

export class RuleCheck {
  readonly #rules: PolicyRules
  readonly #work: Work = { left: workMax }
  readonly #known = new Map<string, Finding | null>()

  constructor(rules: PolicyRules) {
    this.#rules = rules
  }

  /** A line as it was typed: expressions may speak of all of it. */
  line(text: string): Finding | null {
    const { deny, ask } = this.#rules
    if (deny.length + ask.length === 0) return null
    const collapsed = text.replace(/\s+/g, ' ').trim()
    const texts = collapsed === text ? [text] : [text, collapsed]
    const fitOf = ({ pattern }: CommandRule) =>
      pattern.kind === 'shape' ? 'no' : fitsTexts(pattern.expression, texts, this.#work)
    return this.#byRules(fitOf, collapsed.slice(0, 300))
  }

  /** A simple command, and all that its words name. */
  command(words: readonly Arg[], context: CommandContext): Finding | null {
    const { deny, ask, paths, urls } = this.#rules
    if (deny.length + ask.length + paths.deny.length + urls.only.length + urls.deny.length === 0) return null
    const command = commandOf(words, context.ignoresCase ?? false)
    const [text = ''] = command.texts
    const fitOf = ({ pattern }: CommandRule) => fitsCommand(pattern, command, 'wide', this.#work)
    const found = this.#once(`command ${keyOf(words)}`, () => this.#byRules(fitOf, shownText(text)))
    const [word, ...args] = words
    // The same words in another folder name other files.
    const named = word === undefined ? [] : this.#named(programName(word.text), args, context)
    return [found, ...named].reduce(stricterOf, null)
  }

  #named(name: string, args: readonly Arg[], context: CommandContext): readonly (Finding | null)[] {
    const { paths, urls } = this.#rules
    const addresses = urls.only.length + urls.deny.length === 0 ? [] : addressesNamed(name, args)
    const named =
      paths.deny.length === 0
        ? []
        : pathsNamed(nameForPaths(name, context), args).map((path) => knownPath(path, context))
    return [...addresses.map((one) => this.address(one)), ...named.map((path) => this.path(path, 'named'))]
  }

  /** `path` is absolute; null when it cannot be known. */
  path(path: string | null, access: Access): Finding | null {
    const { guarded, paths } = this.#rules
    if (path === null || paths.deny.length + guarded.length === 0) return null
    return this.#once(`${access} ${path}`, () => {
      let found = guardFinding(path, access, guarded)
      for (const { pattern, source } of paths.deny) {
        const covered = coversPath(pattern, path, this.#work)
        const fit = covered === 'no' && access === 'remove' ? liesBelow(pattern, path) : covered
        if (fit !== 'no') found = stricterOf(found, ruleFinding('path-rule', fit, source, shownText(path)))
        if (fit === 'yes') break
      }
      return found
    })
  }

  address(text: string): Finding | null {
    const { only, deny } = this.#rules.urls
    if (only.length === 0 && deny.length === 0) return null
    return this.#once(`address ${text}`, () => {
      const address = knownAddress(text)
      const [rule] = [...deny, ...only]
      if (address === null)
        return rule === undefined ? null : ruleFinding('url-rule', 'maybe', rule.source, shownText(text))
      for (const { pattern, source } of deny) {
        const fit = fitsAddress(pattern, address, 'wide', this.#work)
        if (fit !== 'no') return ruleFinding('url-rule', fit, source, shownText(text))
      }
      for (const { rules, source } of only)
        if (!rules.some(({ pattern }) => fitsAddress(pattern, address, 'whole', this.#work) === 'yes'))
          return ruleFinding('url-rule', 'yes', source, shownText(text))
      return null
    })
  }

  /** A finding about this command that a rule of the user lifts, as what is left of it; null when none does. */
  lifted({ code, rule, resolved }: Finding, words: readonly Arg[], isPlaced: boolean): Finding | null {
    if (code === 'D2' || stays.has(rule) || !isPlaced) return null
    const source = this.allows(words)
    return source === null ? null : { code: 'A', rule: 'allow-rule', resolved, source }
  }

  /** The rule of the user by which this whole command runs without a question. */
  allows(words: readonly Arg[]): RuleSource | null {
    if (this.#rules.allow.length === 0 || words.length === 0 || !words.every(isPlain)) return null
    const command = commandOf(words, false)
    const rule = this.#rules.allow.find(({ pattern }) => fitsCommand(pattern, command, 'whole', this.#work) === 'yes')
    return rule?.source ?? null
  }

  /** Whether a rule of the user lifts what speaks against this path. Never for what guards the session. */
  permits(path: string | null, access: 'read' | 'write', [code, rule]: readonly [Finding['code'], RuleName]): boolean {
    if (path === null || code === 'D2' || !permitted[access].has(rule)) return false
    const fits = ({ pattern }: PolicyRules['paths']['read'][number]) => coversPath(pattern, path, this.#work) === 'yes'
    return this.#rules.paths[access].some(fits)
  }

  #byRules(fitOf: (rule: CommandRule) => Fit | null, resolved: string): Finding | null {
    let found: Finding | null = null
    for (const rule of this.#rules.deny) {
      const fit = fitOf(rule)
      if (fit === 'yes') return ruleFinding('deny-rule', fit, rule.source, resolved)
      if (fit !== 'no') found ??= ruleFinding('deny-rule', fit, rule.source, resolved)
    }
    for (const rule of found === null ? this.#rules.ask : []) {
      const fit = fitOf(rule)
      if (fit !== 'no') return ruleFinding('ask-rule', fit === 'yes' ? 'maybe' : fit, rule.source, resolved)
    }
    return found
  }

  #once(key: string, step: () => Finding | null): Finding | null {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = step()
    if (this.#known.size < knownMax && key.length < 2_000) this.#known.set(key, found)
    return found
  }
}

/** A rule that forbids is like the floor: no profile and no approval lifts it. One that may be meant is asked about. */
function ruleFinding(rule: RuleName, fit: Fit | null, source: RuleSource, resolved: string): Finding {
  if (fit === null) return { code: 'Q2', rule: 'limits', resolved, source }
  return { code: fit === 'yes' ? 'D2' : 'Q2', rule, resolved, source }
}

function guardFinding(path: string, access: Access, guarded: readonly string[]): Finding | null {
  const folder = guarded.find((one) => isAtOrBelow(path, one))
  if (folder === undefined || access === 'named') return null
  if (access !== 'read') return { code: 'Q2', rule: 'self-tampering', resolved: shownText(path) }
  return mayName(path, `${folder}/token`) ? { code: 'Q2', rule: 'credential-read', resolved: shownText(path) } : null
}

function stricterOf(one: Finding | null, other: Finding | null): Finding | null {
  if (one === null || other === null) return one ?? other
  return isStricter(other.code, one.code) ? other : one
}

/** Returns a key that distinguishes `a b` from `'a b'`, and `*` from `'*'`. */
const keyOf = (words: readonly Arg[]) =>
  words.map(({ text, isGlob }) => `${text}${isGlob ? '\u0003' : ''}`).join('\u0002')

function commandOf(words: readonly Arg[], ignoresCase: boolean): Command {
  const text = words.map((word) => word.text).join(' ')
  const name = words[0]?.text ?? ''
  const bare = name.slice(name.lastIndexOf('/') + 1) + text.slice(name.length)
  return { words, texts: bare === text ? [text] : [text, bare], ignoresCase }
}

/** Findings that no rule of a person lifts, besides the floor: unresolved parts, and parts that guard the session. */
const stays = new Set<RuleName>([
  ...(['unresolved', 'unparsed', 'unread-shell', 'limits', 'obfuscated-text', 'encoded-payload'] as const),
  ...(['self-approve', 'self-tampering', 'credential-exfil'] as const),
  ...(['deny-rule', 'ask-rule', 'path-rule', 'url-rule', 'broken-rules'] as const),
])

const permitted: Readonly<Record<'read' | 'write', ReadonlySet<RuleName>>> = {
  read: new Set(['credential-read']),
  write: new Set(['outside-write', 'persistence', 'privilege', 'credential-read']),
}

/** Known to the last character, and leading nowhere else than it says. */
function isPlain(word: Arg): boolean {
  if (!isStatic(word) || /(^|[/=:])\.\.(\/|$)/.test(word.text)) return false
  return !word.isGlob || !/(^|\/)\.[^/]*[*?[]|\[/.test(word.text)
}

/** Programs of Windows share names with others that show no file. */
function nameForPaths(name: string, { ignoresCase = false }: CommandContext): string {
  return ignoresCase && !/^(echo|write-\w+)$/i.test(name) ? '' : name
}

/** Returns the path; an unknown part may be any name. A fully unknown path is left to the program that reads it. */
function knownPath(path: string, context: CommandContext): string | null {
  return path === unknownMark ? null : context.resolve(path.replaceAll(unknownMark, '*'))
}

function knownAddress(text: string): Address | null {
  const at = text.indexOf(unknownMark)
  if (at < 0) return parseAddress(text)
  const known = text.slice(0, at)
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.test(known)) return null
  const address = parseAddress(known)
  return address === null ? null : { ...address, path: '' }
}
