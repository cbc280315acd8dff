/** The secrets of an instance, by their shape and by their value: those of variables, and those that a person typed. Kept in memory only. */

import { secretCharactersMax, secretCharactersMin, secretsMax } from '../../contracts/secrets/secret-limits.ts'
import { maskShapes } from '../../contracts/secrets/secret-shapes.ts'
import type { SecretValues } from '../../contracts/secrets/secret-values.ts'

/** Variables that hold a secret, by the end of their names. */
const secretName = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY)$/i

export class Secrets implements SecretValues {
  /** The newest last. */
  readonly #values = new Set<string>()
  readonly #named: (name: string) => boolean

  /** `named`: variables besides those whose names say it. */
  constructor(named: (name: string) => boolean = () => false) {
    this.#named = named
  }

  learn(env: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value = ''] of Object.entries(env)) {
      if (this.#named(name)) this.add(value)
      else if (secretName.test(name) && looksSecret(value)) this.add(value)
    }
  }

  add(value: string): void {
    if (value.length < secretCharactersMin || value.length > secretCharactersMax || this.#values.has(value)) return
    this.#values.add(value)
    const [oldest] = this.#values
    if (this.#values.size > secretsMax && oldest !== undefined) this.#values.delete(oldest)
  }

  masked<Result>(result: Result): Result {
    return mapStrings(result, (text) => this.#mask(text)) as Result
  }

  #mask(text: string): string {
    if (text.length < secretCharactersMin) return text
    const shaped = maskShapes(text)
    // A screen breaks a value over its rows.
    const flat = shaped.includes('\n') ? shaped.replaceAll('\n', '') : shaped
    const found = [...this.#values].filter((value) => flat.includes(value.replaceAll('\n', '')))
    return found.length === 0 ? shaped : shaped.replace(patternOf(found), '[masked: secret]')
  }
}

/** A path, a word or a small number is none, whatever its variable is called. */
function looksSecret(value: string): boolean {
  if (/\s|^[./~]|^\w+:\/\//.test(value)) return false
  return /\d/.test(value) ? value.length >= 8 : value.length >= 20
}

/** Longer ones first: one may hold another. */
function patternOf(values: readonly string[]): RegExp {
  const byLength = [...values].sort((one, other) => other.length - one.length)
  const alternatives = byLength.map((value) =>
    [...value].map((char) => char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')).join('\\n?'),
  )
  return new RegExp(alternatives.join('|'), 'g')
}

/** The same object where nothing in it changes. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) {
    const mapped = value.map((one) => mapStrings(one, map))
    return mapped.some((one, index) => one !== value[index]) ? mapped : value
  }
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  const mapped = Object.entries(value).map(([key, one]) => [key, mapStrings(one, map)] as const)
  return mapped.some(([key, one]) => one !== (value as Record<string, unknown>)[key])
    ? Object.fromEntries(mapped)
    : value
}

/** Bytes stay as they are. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
