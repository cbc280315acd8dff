/** Checks input against a schema: an error names each wrong field and shows a correct call. */

import type { z } from 'zod'
import { TermError } from '../errors.ts'

const problemsMax = 5

/** Errors: `invalid_input`. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { name, example }: { readonly name: string; readonly example: unknown },
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, []))
  throw new TermError(
    'invalid_input',
    `${name}: ${problems.slice(0, problemsMax).join('; ')}.`,
    `For example: ${JSON.stringify(exampleOf(schema, parsed.error.issues[0]?.path[0]) ?? example)}`,
  )
}

/** A call with the field that is wrong, where that has an example of its own. */
function exampleOf(schema: z.ZodType, field: PropertyKey | undefined): unknown {
  if (typeof field !== 'string' || !('shape' in schema)) return undefined
  const { [field]: wrong } = schema.shape as Readonly<Record<string, z.ZodType>>
  const example = wrong?.meta()?.['example']
  return example === undefined ? undefined : { [field]: example }
}

type Issue = z.core.$ZodIssue

/** Replaces "Invalid" by the error of the key, or of the only alternative that the input can be meant as. */
function problemsOf(issue: Issue, above: readonly PropertyKey[]): readonly string[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'invalid_key') return issue.issues.flatMap((inner) => problemsOf(inner, path))
  // A union with an error of its own names its choices.
  const isUnion = issue.code === 'invalid_union' && issue.message === 'Invalid input'
  const meant = isUnion ? issue.errors.filter((choice) => !choice.some(isOfOtherType)) : []
  const [only, second] = meant
  if (only !== undefined && second === undefined) return only.flatMap((inner) => problemsOf(inner, path))
  return [path.length > 0 ? `${path.join('.')}: ${issue.message}` : issue.message]
}

const isOfOtherType = ({ code, path }: Issue) => code === 'invalid_type' && path.length === 0
