/** What is wrong with a file of a task or a trial: which file, which key, what, and what to do about it. */

import { TermError } from '@agentpty/protocol'

export type KeyPath = readonly PropertyKey[]

export interface Fault {
  readonly path: KeyPath
  /** Without a full stop. */
  readonly message: string
}

/** What a schema of zod tells; branches of a union have faults of their own. */
interface SchemaIssue {
  readonly code?: string | undefined
  readonly path: KeyPath
  readonly message: string
  readonly errors?: readonly (readonly SchemaIssue[])[] | undefined
}

interface Parsing<Value> {
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
  return new TermError('invalid_input', `${file}: ${key}${message}.`, hint)
}

/** The value as the schema has it. Errors: `invalid_input`, with the first fault. */
export function parseAs<Value>(schema: Parsing<Value>, value: unknown, file: string): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fault = faultsOf(parsed.error.issues)[0] ?? { path: [], message: 'cannot be read' }
  throw malformed(file, fault, 'Correct the key, or leave it out.')
}

/** One fault for each issue; of a union, that of the branch that came farthest. */
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
