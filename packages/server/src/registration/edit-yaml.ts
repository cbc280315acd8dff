/** One value in a YAML file set or taken out, with its comments as they were. */

import { parseDocument } from 'yaml'
import { MalformedFile } from './malformed-file.ts'

type Path = readonly string[]

/** Null when there is nothing at the path. Errors: {@link MalformedFile}. */
export function readYaml(text: string, path: Path): unknown {
  const found = parse(text).getIn([...path])
  return toPlain(found)
}

/** Errors: {@link MalformedFile}. */
export function setYaml(text: string, path: Path, value: unknown): string {
  const document = parse(text)
  document.setIn([...path], document.createNode(value))
  return document.toString()
}

/** Errors: {@link MalformedFile}. */
export function removeYaml(text: string, path: Path): string {
  const document = parse(text)
  document.deleteIn([...path])
  return document.toString()
}

function parse(text: string) {
  const document = parseDocument(text)
  const [first] = document.errors
  if (first !== undefined) throw new MalformedFile(first.message.split('\n')[0] ?? '')
  return document
}

function toPlain(node: unknown): unknown {
  const isNode = typeof node === 'object' && node !== null && 'toJSON' in node && typeof node.toJSON === 'function'
  return isNode ? (node as { toJSON(): unknown }).toJSON() : (node ?? null)
}
