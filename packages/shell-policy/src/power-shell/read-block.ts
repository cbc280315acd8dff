/** Reads the statements of PowerShell's language: conditions, loops, functions. Whatever programs stand in them may run. */

import { type Cursor, Unreadable } from './cursor.ts'
import type { ReadsScripts, ValueReader } from './read-values.ts'
import type { Script, Stage, Word } from './syntax.ts'

export interface Grammar extends ReadsScripts {
  readonly values: ValueReader
  readonly stages: (cursor: Cursor) => readonly Stage[]
}

type Block = Extract<Stage, { readonly kind: 'block' }>

/** `keyword` stands at the cursor. Errors: {@link Unreadable} for what is not known. */
export function readBlock(cursor: Cursor, keyword: string, grammar: Grammar): Stage {
  cursor.at += keyword.length
  cursor.skip()
  switch (keyword) {
    case 'function':
    case 'filter':
      return readFunction(cursor, grammar)
    case 'return':
    case 'throw':
    case 'exit':
    case 'break':
    case 'continue':
      return readLeaving(cursor, keyword, grammar)
    case 'foreach':
      return readEach(cursor, grammar)
    case 'switch':
      return readSwitch(cursor, grammar)
    case 'if':
    case 'while':
    case 'until':
    case 'do':
    case 'for':
    case 'try':
    case 'trap':
    case 'data':
    case 'begin':
    case 'process':
    case 'end':
    case 'dynamicparam':
    case 'clean':
    case 'param':
      return readParts(cursor, keyword, grammar)
    default:
      throw new Unreadable()
  }
}

/** What may follow a block of such a statement, on the next line too. */
const followers: Readonly<Record<string, RegExp>> = {
  if: /(elseif|else)\b/iy,
  do: /(while|until)\b/iy,
  try: /(catch|finally)\b/iy,
}

const endlessCondition = /^\s*\(\s*(\$true|[1-9]\d*|!\s*\$false)\s*\)/i

/** Brackets and braces one after the other. */
function readParts(cursor: Cursor, keyword: string, { script }: Grammar): Block {
  const scripts: Script[] = []
  let isEndless = keyword === 'for' && /^\([^;)]*;\s*;/.test(cursor.text.slice(cursor.at, cursor.at + 200))
  for (;;) {
    cursor.skip()
    // `catch [Type], [Type]`, `data -SupportedCommand`
    if (cursor.take(/\[[\w.]+\]\s*,?\s*/y) !== null) continue
    if (cursor.next === '(') {
      isEndless ||= /^(while|do)$/.test(keyword) && endlessCondition.test(cursor.text.slice(cursor.at, cursor.at + 50))
      scripts.push(readBracket(cursor, script))
      cursor.skip({ newlines: keyword !== 'do' && keyword !== 'param' })
      continue
    }
    if (cursor.next === '{') {
      scripts.push(readBracket(cursor, script))
      const before = cursor.at
      cursor.skip({ newlines: true })
      const follower = followers[keyword]
      if (follower !== undefined && cursor.take(follower) !== null) {
        cursor.skip({ newlines: true })
        continue
      }
      cursor.at = before
    }
    if (scripts.length === 0) throw new Unreadable()
    return { kind: 'block', keyword, scripts, isEndless }
  }
}

function readBracket(cursor: Cursor, script: ReadsScripts['script']): Script {
  const end = cursor.next === '{' ? '}' : ')'
  cursor.at++
  return script(cursor.deeper(), end)
}

/** `foreach ($x in …) {…}` */
function readEach(cursor: Cursor, { script }: Grammar): Block {
  cursor.take(/-parallel\s*/iy)
  cursor.expect('(')
  cursor.skip({ newlines: true })
  const name = cursor.take(/\$(\w+)\s+in\b/iy)?.[1]
  if (name === undefined) throw new Unreadable()
  const over = script(cursor.deeper(), ')')
  cursor.skip({ newlines: true })
  if (cursor.next !== '{') throw new Unreadable()
  const each = { name: name.toLowerCase(), over }
  return { kind: 'block', keyword: 'foreach', scripts: [readBracket(cursor, script)], each, isEndless: false }
}

/** `switch (…) { 'a' {…} default {…} }`: values and conditions are looked at like everything else. */
function readSwitch(cursor: Cursor, { values, script }: Grammar): Block {
  const scripts: Script[] = []
  while (cursor.take(/-\w+\s*/y) !== null);
  if (cursor.next === '(') scripts.push(readBracket(cursor, script))
  else scripts.push(valueScript([values.primary(cursor)]))
  cursor.skip({ newlines: true })
  cursor.expect('{')
  for (;;) {
    cursor.skip({ newlines: true })
    if (cursor.take(/;/y) !== null) continue
    if (cursor.take(/\}/y) !== null) return { kind: 'block', keyword: 'switch', scripts, isEndless: false }
    scripts.push(valueScript([values.primary(cursor)]))
    cursor.skip({ newlines: true })
    if (cursor.next !== '{') throw new Unreadable()
    scripts.push(readBracket(cursor, script))
  }
}

function valueScript(given: Word['values']): Script {
  const value: Word = { parameter: null, values: given }
  return [{ assigns: null, stages: [{ kind: 'value', value, redirects: [] }], isBackground: false }]
}

function readLeaving(cursor: Cursor, keyword: string, { stages }: Grammar): Block {
  const isAlone = cursor.isAtEnd || /[;|\n)}&]/.test(cursor.next)
  const statement = { assigns: null, stages: isAlone ? [] : stages(cursor), isBackground: false }
  return { kind: 'block', keyword, scripts: [[statement]], isEndless: false }
}

/** `function Name ($a) {…}` */
function readFunction(cursor: Cursor, { script }: Grammar): Stage {
  const name = cursor.take(/(?:(?:global|script|local|private):)?([\w-]+(?:[\w.:-]*\w)?)/iy)?.[1]
  if (name === undefined) throw new Unreadable()
  cursor.skip({ newlines: true })
  if (cursor.next === '(') {
    readBracket(cursor, script)
    cursor.skip({ newlines: true })
  }
  if (cursor.next !== '{') throw new Unreadable()
  const from = cursor.at + 1
  const body = readBracket(cursor, script)
  return { kind: 'function', name: name.toLowerCase(), body: cursor.text.slice(from, cursor.at - 1), script: body }
}
