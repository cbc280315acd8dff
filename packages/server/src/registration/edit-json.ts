/** One value in a JSON file set or taken out, with every other byte as it was: comments, order, indentation. */

import { isObject } from '@agentpty/protocol/wire'
import * as jsonc from 'jsonc-parser'

type Path = readonly string[]

/** Null when there is nothing at the path. Errors: {@link MalformedFile}. */
export function readJson(text: string, path: Path): unknown {
  const root = parse(text)
  const found = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root)
  return found ?? null
}

/** Errors: {@link MalformedFile}. */
export function setJson(text: string, path: Path, value: unknown): string {
  const source = text.trim() === '' ? '{}\n' : text
  parse(source)
  return edit(source, path, value)
}

/** Removes the value, and objects that were only made for it. Errors: {@link MalformedFile}. */
export function removeJson(text: string, path: Path): string {
  const without = edit(text, path, undefined)
  const parent = path.slice(0, -1)
  const rest = readJson(without, parent)
  return parent.length > 0 && isObject(rest) && Object.keys(rest).length === 0
    ? edit(without, parent, undefined)
    : without
}

function edit(text: string, path: Path, value: unknown): string {
  const options = isOneLine(text) ? {} : { formattingOptions: formattingOf(text) }
  return jsonc.applyEdits(text, jsonc.modify(text, [...path], value, options))
}

/** A file with content in a single line stays one. Formatting works on whole lines, and would rewrite all of it. */
const isOneLine = (text: string): boolean => !text.trim().includes('\n') && !/^\s*\{\s*\}\s*$/.test(text)

/** The formatting that the file has already. */
function formattingOf(text: string) {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const errors: { error: number; offset: number; length: number }[] = []
  const root: unknown = jsonc.parse(text.trim() === '' ? '{}' : text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new MalformedFile(`line ${line}: ${jsonc.printParseErrorCode(first.error)}`)
  }
  if (!isObject(root)) throw new MalformedFile('it holds no object')
  return root
}

/** A client's file that cannot be read: it is left alone, and the error says what is wrong with it. */
export class MalformedFile extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'MalformedFile'
  }
}
