/** Reads the values of PowerShell: texts, variables, what is in brackets, and what is done with them by operators and members. */

import { type Cursor, Unreadable } from './cursor.ts'
import type { Part, Script, Value, Word } from './syntax.ts'

export interface ReadsScripts {
  /** Up to `end`, which is passed; null: up to the end of the text. */
  readonly script: (cursor: Cursor, end: string | null) => Script
}

const variable = /\$(?:\{([^}]*)\}|((?:(?:global|script|local|private|using|env|function|alias|variable):)?[\w?^$]+))/iy
const isQuote = (character: string) => character === "'" || character === '"'

export class ValueReader {
  readonly #scripts: ReadsScripts

  constructor(scripts: ReadsScripts) {
    this.#scripts = scripts
  }

  /** An expression up to what ends it: values with operators between them. */
  expression(cursor: Cursor): Word {
    const values: Part[][] = [[]]
    for (;;) {
      cursor.skip()
      if (cursor.isAtEnd || /[;|\n)}\]>&]/.test(cursor.next)) break
      if (cursor.next === ',') {
        cursor.at++
        cursor.skip({ newlines: true })
        values.push([])
        continue
      }
      const operator = cursor.take(/-[a-zA-Z]+|\+\+|--|\.\.|\?\?|[-+*/%!?:]=?|=/y)
      if (operator !== null) {
        values.at(-1)?.push({ kind: 'operator', name: operator[0].toLowerCase() })
        cursor.skip({ newlines: true })
        continue
      }
      values.at(-1)?.push(...this.primary(cursor))
    }
    return { parameter: null, values: values.filter((value) => value.length > 0) }
  }

  /** One value with its members: `$x.Name`, `[IO.File]::Delete('x')`, `(…)[0]`. */
  primary(cursor: Cursor): Value {
    const first = this.#start(cursor)
    return [...first, ...this.members(cursor)]
  }

  #start(cursor: Cursor): readonly Part[] {
    const { next } = cursor
    if (isQuote(next) || next === '@' || next === '$' || next === '(' || next === '{') return this.bracketed(cursor)
    if (next === '[') return [this.#type(cursor)]
    const number = cursor.take(/0x[0-9a-f]+|\d+(?:\.\d+)?[a-z]*/iy) ?? cursor.take(/[\w.\\/:*~-]+/y)
    if (number === null) throw new Unreadable()
    return [{ kind: 'text', text: number[0], isQuoted: false }]
  }

  /** What begins with a quote, a dollar or a bracket. */
  bracketed(cursor: Cursor): readonly Part[] {
    const { next } = cursor
    if (next === '$' && !cursor.startsWith('$(')) {
      const found = cursor.take(variable)
      if (found === null) {
        cursor.at++
        return [{ kind: 'text', text: '$', isQuoted: false }]
      }
      return [{ kind: 'variable', name: (found[1] ?? found[2] ?? '').toLowerCase() }]
    }
    if (cursor.startsWith("@'") || cursor.startsWith('@"')) return this.#document(cursor)
    if (isQuote(next)) return this.quoted(cursor)
    if (cursor.startsWith('@{')) return [this.#table(cursor)]
    if (next === '@' && !cursor.startsWith('@(')) {
      const splat = cursor.take(/@(\w+)/y)
      if (splat === null) throw new Unreadable()
      return [{ kind: 'splat', name: (splat[1] ?? '').toLowerCase() }]
    }
    cursor.take(/[$@]/y)
    const isCode = cursor.next === '{'
    const from = ++cursor.at
    const script = this.#scripts.script(cursor.deeper(), isCode ? '}' : ')')
    if (!isCode) return [{ kind: 'script', script }]
    return [{ kind: 'code', script, source: cursor.text.slice(from, cursor.at - 1) }]
  }

  quoted(cursor: Cursor): readonly Part[] {
    const quote = cursor.next
    cursor.at++
    if (quote === '"') return this.#expandable(cursor, /"(?!")/y, '"')
    let text = ''
    for (;;) {
      text += cursor.take(/[^']*/y)?.[0] ?? ''
      if (cursor.isAtEnd) throw new Unreadable()
      cursor.at++
      if (cursor.next !== "'") return [{ kind: 'text', text, isQuoted: true }]
      text += "'"
      cursor.at++
    }
  }

  /** `@"` to a line that begins with `"@`. */
  #document(cursor: Cursor): readonly Part[] {
    const quote = cursor.text[cursor.at + 1] ?? ''
    if (cursor.take(/@['"][ \t]*\r?\n/y) === null) throw new Unreadable()
    if (quote === '"') return this.#expandable(cursor, /\r?\n"@/y, '')
    const end = cursor.text.indexOf("\n'@", cursor.at - 1)
    if (end < 0) throw new Unreadable()
    const text = cursor.text.slice(cursor.at, Math.max(cursor.at, end))
    cursor.at = end + 3
    return [{ kind: 'text', text, isQuoted: true }]
  }

  /** Text in which variables and `$(…)` count. */
  #expandable(cursor: Cursor, end: RegExp, quote: string): readonly Part[] {
    const parts: Part[] = []
    let text = ''
    const endText = () => {
      if (text !== '') parts.push({ kind: 'text', text, isQuoted: true })
      text = ''
    }
    for (;;) {
      if (cursor.isAtEnd) throw new Unreadable()
      if (cursor.take(end) !== null) break
      if (cursor.next === '`') text += cursor.escaped()
      else if (cursor.startsWith('$(') || (cursor.next === '$' && /[\w{?^$]/.test(cursor.text[cursor.at + 1] ?? ''))) {
        endText()
        parts.push(...this.bracketed(cursor))
      } else {
        text += cursor.next
        // A doubled quote is one.
        cursor.at += quote !== '' && cursor.startsWith(quote + quote) ? 2 : 1
      }
    }
    endText()
    return parts.length > 0 ? parts : [{ kind: 'text', text: '', isQuoted: true }]
  }

  #type(cursor: Cursor): Part {
    const found = cursor.take(/\[\s*([\w.`,[\] ]*?)\s*\](?!\])/y)
    if (found === null) throw new Unreadable()
    return { kind: 'type', name: (found[1] ?? '').replaceAll(/[`\s]/g, '').toLowerCase() }
  }

  /** `@{ name = value; … }` */
  #table(cursor: Cursor): Part {
    cursor.at += 2
    const values: Word[] = []
    for (;;) {
      cursor.skip({ newlines: true })
      if (cursor.take(/;/y) !== null) continue
      if (cursor.take(/\}/y) !== null) return { kind: 'table', values }
      if (cursor.take(/[\w.-]+/y) === null) values.push({ parameter: null, values: [this.primary(cursor)] })
      cursor.skip({ newlines: true })
      cursor.expect('=')
      cursor.skip({ newlines: true })
      values.push(this.expression(cursor.deeper()))
    }
  }

  members(cursor: Cursor): readonly Part[] {
    const parts: Part[] = []
    for (;;) {
      const found = cursor.take(/(::|\??\.)(?=[A-Za-z_'"$(])/y)
      if (found !== null) parts.push(this.#member(cursor, found[1] === '::'))
      else if (cursor.next === '[') parts.push(this.#index(cursor))
      else return parts
    }
  }

  #member(cursor: Cursor, isStatic: boolean): Part {
    const name = cursor.take(/\w+/y)?.[0] ?? this.#computed(cursor)
    if (cursor.next === '{') return { kind: 'member', name, args: [this.#word(cursor)], isStatic }
    if (cursor.take(/\(/y) === null) return { kind: 'member', name, args: null, isStatic }
    cursor.skip({ newlines: true })
    const given = this.expression(cursor.deeper())
    cursor.skip({ newlines: true })
    cursor.expect(')')
    return { kind: 'member', name, args: given.values.map((value) => ({ parameter: null, values: [value] })), isStatic }
  }

  #word(cursor: Cursor): Word {
    return { parameter: null, values: [this.bracketed(cursor)] }
  }

  /** A member whose name is a value: nobody knows it, unless it is a plain text. */
  #computed(cursor: Cursor): string {
    const parts = this.bracketed(cursor)
    const [only] = parts
    return parts.length === 1 && only?.kind === 'text' ? only.text : ''
  }

  #index(cursor: Cursor): Part {
    cursor.at++
    cursor.skip({ newlines: true })
    const given = this.expression(cursor.deeper())
    cursor.skip({ newlines: true })
    cursor.expect(']')
    return { kind: 'member', name: 'item', args: [given], isStatic: false }
  }
}
