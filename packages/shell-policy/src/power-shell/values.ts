/** What the words of a PowerShell program come to, as far as they are known. Whatever programs stand in them are run. */

import { nothing, taints, unknownMark } from '../walk/value.ts'
import type { PowerShellRunner } from './host.ts'
import { type Item, item, taintOf, unknownItem } from './item.ts'
import { callMember } from './members.ts'
import { spellingTypes } from './members-table.ts'
import type { Part, Script, Value, Word } from './syntax.ts'
import { variableValue } from './variables.ts'

/** What has been put together so far of one value. */
interface Sum {
  text: string
  taint: number
  isUnknown: boolean
  isGlob: boolean
  listed: Item['listed']
  code: readonly Script[]
}

export class Values {
  readonly #runner: PowerShellRunner

  constructor(runner: PowerShellRunner) {
    this.#runner = runner
  }

  items(word: Word): readonly Item[] {
    return word.values.map((value) => this.#value(value))
  }

  /** The blocks that a word holds as they are. */
  codeIn(word: Word): readonly Script[] {
    return word.values.flatMap((value) => value.flatMap((part) => (part.kind === 'code' ? [part.script] : [])))
  }

  #value(value: Value): Item {
    const sum: Sum = { text: '', taint: 0, isUnknown: false, isGlob: false, listed: null, code: [] }
    for (let at = 0; at < value.length; at++) {
      const part = value[at]
      if (part === undefined) continue
      const next = value[at + 1]
      if (part.kind === 'type' && next?.kind === 'member' && next.isStatic) {
        at++
        this.#add(sum, this.#member(part.name, next, item('')))
      } else if (part.kind === 'member') this.#replace(sum, this.#member(null, part, itemOf(sum)))
      else this.#part(sum, part)
    }
    return itemOf(sum)
  }

  #part(sum: Sum, part: Exclude<Part, { readonly kind: 'member' }>): void {
    switch (part.kind) {
      case 'text':
        sum.isGlob ||= !part.isQuoted && /[*?]/.test(part.text)
        sum.text += part.text
        return
      case 'variable':
        this.#add(sum, variableValue(part.name, this.#runner.host))
        return
      case 'script':
        this.#add(sum, this.#output(part.script))
        return
      case 'code':
        sum.code = [...sum.code, part.script]
        sum.text += part.source
        return
      case 'table':
        this.#addUnknown(
          sum,
          part.values.flatMap((word) => this.items(word)),
        )
        return
      case 'splat':
        this.#addUnknown(sum, [variableValue(part.name, this.#runner.host)])
        return
      case 'type':
        // A cast: numbers become letters.
        if (spellingTypes.test(part.name)) {
          sum.isUnknown = true
          sum.taint |= taints.decoded
        }
        return
      case 'operator':
        this.#operator(sum, part.name)
    }
  }

  #operator(sum: Sum, name: string): void {
    // Texts are put together by it, and numbers are added.
    if (name === '+') return
    sum.isUnknown = true
    if (/^-[ci]?(join|bxor|replace|split|f|bor|band|shl|shr)$/.test(name)) sum.taint |= taints.decoded
  }

  #output(script: Script): Item {
    const { text, taint, listed } = this.#runner.runScripts([script], nothing)
    return { arg: { text: text.replace(/\n$/, ''), taint, isGlob: false }, code: [], listed }
  }

  #member(type: string | null, part: Extract<Part, { readonly kind: 'member' }>, of: Item): Item {
    const args = (part.args ?? []).flatMap((word) => this.items(word))
    // A property says something of a value, and does nothing.
    if (part.args === null) return type === null ? unknownItem(of.arg.taint) : this.#constant(type, part.name)
    return callMember({ type, name: part.name.toLowerCase(), of, args }, this.#runner)
  }

  /** `[Environment]::NewLine`, `[IO.Path]::PathSeparator` */
  #constant(type: string, name: string): Item {
    if (/^(reflection|management\.automation|runtime\.interopservices\.marshal)/.test(type.replace(/^system\./, '')))
      this.#runner.host.report('Q2', 'unresolved')
    return name.toLowerCase() === 'newline' ? item('\n') : unknownItem()
  }

  #add(sum: Sum, one: Item): void {
    sum.text += one.arg.text
    sum.taint |= one.arg.taint
    sum.isGlob ||= one.arg.isGlob
    sum.listed = one.listed
    sum.code = [...sum.code, ...one.code]
  }

  #addUnknown(sum: Sum, items: readonly Item[]): void {
    sum.isUnknown = true
    sum.text += unknownMark
    sum.taint |= taintOf(items)
    sum.code = [...sum.code, ...items.flatMap(({ code }) => code)]
  }

  #replace(sum: Sum, one: Item): void {
    Object.assign(sum, { text: '', taint: 0, isUnknown: false, isGlob: false, listed: null, code: [] })
    this.#add(sum, one)
  }
}

function itemOf({ text, taint, isUnknown, isGlob, listed, code }: Sum): Item {
  const only = listed?.length === 1 ? listed[0] : undefined
  // A list of one file is that file's name.
  if (only !== undefined) return { arg: { ...only, taint: only.taint | taint }, code, listed }
  // An operator makes something else of the known parts.
  return { arg: { text: isUnknown ? unknownMark : text, taint, isGlob }, code, listed }
}
