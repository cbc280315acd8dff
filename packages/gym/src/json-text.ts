/** JSON from another program: bounded in length and depth, and without the key `__proto__`, which would become a prototype. */

import { invalidInput, limitReached, type TermError } from '@agentpty/protocol'
import { jsonNestingMax } from '@agentpty/protocol/gym'
import { isObject } from '@agentpty/protocol/wire'

interface JsonOptions {
  /** For errors. */
  readonly file: string
  readonly bytesMax: number
}

/** Errors: `invalid_input`, `limit_reached`. */
export function readJsonText(text: string, { file, bytesMax }: JsonOptions): unknown {
  if (Buffer.byteLength(text) > bytesMax)
    throw limitReached(`${file} is longer than ${bytesMax} bytes.`, 'Read a shorter one.')
  const value = parse(text, file)
  const fault = shapeFault(value, jsonNestingMax)
  if (fault !== null) throw malformed(file, { path: [], message: fault }, 'Mend the file, or leave that part out.')
  return value
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `is no JSON: ${error instanceof Error ? error.message : String(error)}`
    throw malformed(file, { path: [], message }, 'Mend the file; a program that was killed may have left half of it.')
  }
}

/** Describes what is wrong with the shape of a parsed value; null for a valid one. Walks level by level, so depth costs no stack. */
export function shapeFault(value: unknown, depthMax: number): string | null {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return `is nested deeper than ${depthMax} levels`
    const next: unknown[] = []
    for (const one of level) {
      if (isObject(one) && Object.hasOwn(one, '__proto__')) return 'has a key "__proto__"'
      if (typeof one !== 'object' || one === null) continue
      for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) next.push(inner)
    }
    level = next
  }
  return null
}

/** Errors in a file of a task or a trial: which file, which key, what is wrong, and how to repair it. */
export type KeyPath = readonly PropertyKey[]

export interface Fault {
  readonly path: KeyPath
  /** The message, without a full stop. */
  readonly message: string
}

/** One issue that a schema of zod reports; branches of a union have issues of their own. */
interface SchemaIssue {
  readonly code?: string | undefined
  readonly path: KeyPath
  readonly message: string
  readonly errors?: readonly (readonly SchemaIssue[])[] | undefined
}

export interface Parsing<Value> {
  readonly safeParse: (
    value: unknown,
  ) =>
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } }
}

/** `steps[0].verifier.user`. */
export function keyText(path: KeyPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
}

/** `hint`: the next move. */
export function malformed(file: string, { path, message }: Fault, hint: string): TermError {
  const key = path.length === 0 ? '' : `${keyText(path)}: `
  return invalidInput(`${file}: ${key}${message}.`, hint)
}

/** The value as the schema has it. Errors: `invalid_input`, with the first fault. */
export function parseAs<Value>(schema: Parsing<Value>, value: unknown, file: string): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fault = faultsOf(parsed.error.issues)[0] ?? { path: [], message: 'cannot be read' }
  throw malformed(file, fault, 'Correct the key, or leave it out.')
}

/** Returns one fault for each issue; for a union, that of the branch that matched furthest. */
export function faultsOf(issues: readonly SchemaIssue[]): readonly Fault[] {
  return issues.map((issue) => {
    const inner = (issue.errors ?? []).map((branch) => faultsOf(branch)[0]).filter((fault) => fault !== undefined)
    const [deepest] = inner.toSorted((a, b) => b.path.length - a.path.length)
    if (deepest === undefined || deepest.path.length === 0)
      return { path: issue.path, message: messageOf(issue, inner) }
    return { path: [...issue.path, ...deepest.path], message: deepest.message }
  })
}

function messageOf(issue: SchemaIssue, branches: readonly Fault[]): string {
  return branches.length === 0 ? issue.message : branches.map(({ message }) => message).join(', or ')
}
