/** What somebody sent, checked against a schema: an error names each wrong field and shows a right call. */

import type { z } from 'zod'
import { TermError } from './errors.ts'

const problemsMax = 5

/** Errors: `invalid_input`. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { name, example }: { readonly name: string; readonly example: unknown },
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  throw new TermError(
    'invalid_input',
    `${name}: ${problems.slice(0, problemsMax).join('; ')}.`,
    `For example: ${JSON.stringify(example)}`,
  )
}
