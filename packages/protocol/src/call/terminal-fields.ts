/** Fields that several verbs share, and the check of an input against its schema. */

import * as z from 'zod'
import { invalidInput } from '../errors.ts'
import {
  argumentBytesMax,
  columnsMax,
  nameCharactersMax,
  pathBytesMax,
  rowsMax,
  searchPatternCharactersMax,
  waitMsDefault,
  waitMsMax,
} from '../limits.ts'
import { type Confidence, confidences, type Verdict } from '../session/verdict.ts'
import type { Millis } from '../units.ts'

const bytesOf = (text: string) => Buffer.byteLength(text)

const problemsMax = 5

/** Signals that programs act on. Stopping and continuing are the shell's job control. */
export const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGKILL'] as const

/** A NUL ends a text for every program: the rest would be lost. */
export const withoutNul = (text: z.ZodString) =>
  text.refine((value) => !value.includes('\0'), 'must not hold a NUL character')

/** An argument, a path or a variable's value, in the form that a program can get. */
export const ProgramText = withoutNul(z.string()).refine(
  (text) => bytesOf(text) <= argumentBytesMax,
  `at most ${argumentBytesMax} bytes, which is what the system takes`,
)

export const VariableName = z.string().regex(/^[^=\0]+$/, 'a name is not empty and has no "=" and no NUL character')

export const FolderName = withoutNul(z.string().min(1)).refine(
  (text) => bytesOf(text) <= pathBytesMax,
  `at most ${pathBytesMax} bytes, which is what the system takes`,
)

/** Text to type into a terminal. `more`: what to do with a longer one. */
export const typedText = (bytesMax: number, more = 'send more in pieces') => {
  const tooLong = `at most ${bytesMax} bytes in one call; ${more}`
  // A text with too many characters has too many bytes too: the fault is reported once.
  return z
    .string()
    .max(bytesMax, { error: tooLong, abort: true })
    .refine((text) => bytesOf(text) <= bytesMax, tooLong)
}

export const TerminalId = z.string().min(1).max(100).describe('The terminal, by its id (`term-3`) or by its name.')

export const TerminalName = z
  .string()
  .regex(/^[\w.-]+$/, 'letters, digits, "_", "." and "-" only')
  .max(nameCharactersMax)

/** Asked-for waits may be longer than one call can last; the call then returns early and can be resumed. */
export const waitTimeoutMs = z
  .number()
  .int()
  .min(0)
  .max(86_400_000)
  .default(waitMsDefault)
  .describe('How long to wait at most. A call never lasts longer than 53.5 s; on `timeout` go on from `cursor`.')

/** Behaviour of a call that types while a person has the terminal. */
export const IfTaken = z
  .enum(['fail', 'wait'])
  .default('fail')
  .describe(
    'While a person has taken the terminal over: fail at once with `person_types`, or wait until it is given back.',
  )

export const Columns = z.number().int().min(2).max(columnsMax).describe('Width in cells.')
export const Rows = z.number().int().min(1).max(rowsMax).describe('Height in cells.')

/** Checks input against a schema. Errors: `invalid_input`, which names each wrong field and shows a correct call. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { name, example }: { readonly name: string; readonly example: unknown },
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, []))
  throw invalidInput(
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

/** Conditions of a wait. A caller gives one or several; the first that holds ends the wait. */
export type Condition =
  /** It is the caller's turn, with at least this confidence. */
  | { readonly kind: 'ready'; readonly confidence: Confidence }
  /** There is output past `since`, already or later. */
  | { readonly kind: 'output' }
  /** A shell command that ends past `since` has finished. Needs a shell with integration. */
  | { readonly kind: 'command' }
  | { readonly kind: 'exit' }
  /** The text appears; it may begin before `since` but must end after it. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** No output byte for `ms`. */
  | { readonly kind: 'quiet'; readonly ms: Millis }
  /** No visible change of the screen for `ms`. */
  | { readonly kind: 'stable'; readonly ms: Millis }

export type ConditionKind = Condition['kind']

/**
 * How a wait ended. Timeout and exit are outcomes, never errors. Each carries the verdict that
 * settled it: judged again a moment later, a wait that found a program ready might report it as busy.
 */
export type Ending =
  | { readonly outcome: 'met'; readonly by: ConditionKind; readonly verdict: Verdict }
  | { readonly outcome: 'exited'; readonly verdict: Verdict }
  | { readonly outcome: 'timeout'; readonly verdict: Verdict }
  /** The gate of the terminal holds a call of its programs. */
  | { readonly outcome: 'needs_approval'; readonly verdict: Verdict }
  | { readonly outcome: 'cancelled' }

const duration = z.number().int().min(1).max(waitMsMax)

const single = z.union([
  z.enum(['ready', 'output', 'command', 'exit', 'none']),
  z.strictObject({ text: z.string().min(1).max(searchPatternCharactersMax) }),
  z.strictObject({ pattern: z.string().min(1).max(searchPatternCharactersMax) }),
  z.strictObject({ quietMs: duration }),
  z.strictObject({ stableMs: duration }),
  z.strictObject({ ready: z.enum(confidences) }),
])

/** The error of a union alone would name no choice. */
const choices =
  'use "ready", "output", "command", "exit", "none", {"text": …}, {"pattern": …}, {"quietMs": ms}, {"stableMs": ms},' +
  ` {"ready": "${confidences.join('|')}"}, or a list of up to 8`

/** `waitFor` as callers write it. */
export const WaitFor = z
  .union([single, z.array(single).min(1).max(8)], { error: choices })
  .describe('What ends the call; see [Waiting](waiting.md).')
export type WaitFor = z.infer<typeof WaitFor>

type Single = z.infer<typeof single>

/** Returns the conditions that a `waitFor` means; none for `"none"`. */
export function toConditions(waitFor: WaitFor): readonly Condition[] {
  const list: readonly Single[] = Array.isArray(waitFor) ? waitFor : [waitFor]
  return list.flatMap(toCondition)
}

function toCondition(single: Single): readonly Condition[] {
  if (single === 'none') return []
  if (single === 'ready') return [{ kind: 'ready', confidence: 'low' }]
  if (typeof single === 'string') return [{ kind: single }]
  if ('ready' in single) return [{ kind: 'ready', confidence: single.ready }]
  if ('text' in single) return [{ kind: 'text', text: single.text }]
  if ('pattern' in single) return [{ kind: 'pattern', pattern: single.pattern }]
  if ('quietMs' in single) return [{ kind: 'quiet', ms: single.quietMs }]
  return [{ kind: 'stable', ms: single.stableMs }]
}
