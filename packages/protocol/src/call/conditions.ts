/** Conditions of a wait. A caller gives one or several; the first that holds ends the wait. */

import * as z from 'zod'
import { searchPatternCharactersMax, waitMsMax } from '../limits.ts'
import { type Confidence, confidences, type Verdict } from '../session/verdict.ts'
import type { Millis } from '../units.ts'

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
