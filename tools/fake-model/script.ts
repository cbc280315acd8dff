/** The script: the model's answers by prompt. README.md describes each field. */

import type { ApiError } from './types.ts'

export interface ToolStep {
  readonly tool: string
  readonly args?: unknown
}

export interface Step {
  readonly text?: string
  readonly thinking?: string
  readonly tool?: string
  readonly args?: unknown
  readonly tools?: readonly ToolStep[]
  readonly delayMs?: number
  readonly chunkDelayMs?: number
  readonly chunkSize?: number
  readonly hold?: string
  readonly error?: ApiError
  readonly dropAfter?: number
  readonly usage?: { readonly input?: number; readonly output?: number }
}

interface WrittenTurn {
  readonly name?: string
  readonly match?: string
  readonly flags?: string
  readonly steps?: readonly Step[]
}

interface Common {
  readonly defaults?: Step
  readonly fallback?: string
  readonly side?: string
  readonly sideMatch?: string
}

/** The written form: complete, the steps of a single turn, or only those steps. */
export type WrittenScript =
  | readonly Step[]
  | (Common & { readonly steps: readonly Step[] })
  | (Common & { readonly turns: readonly WrittenTurn[] })

export interface Turn {
  readonly name: string
  /** Null matches any prompt. */
  readonly match: RegExp | null
  readonly steps: readonly Step[]
}

export interface Script {
  readonly defaults: Step
  readonly fallback: string
  readonly side: string
  readonly sideMatch: RegExp
  readonly turns: readonly Turn[]
}

/** Known clients' requests for titles and suggestions, if they offer tools in them. */
const housekeeping = '^Generate a concise, single-line task title|^\\[SUGGESTION MODE'

/** Errors: throws without steps and turns, and for an invalid pattern. */
export function compileScript(written: WrittenScript): Script {
  const { common, turns } = partsOf(written)
  return {
    defaults: common.defaults ?? {},
    fallback: common.fallback ?? 'fake-model: no turn of the script matches this prompt',
    side: common.side ?? 'ok',
    sideMatch: new RegExp(common.sideMatch ?? housekeeping),
    turns: turns.map(({ name, match, flags, steps }, index) => ({
      name: name ?? `turn${index}`,
      match: match === undefined ? null : new RegExp(match, flags ?? 's'),
      steps: steps ?? [],
    })),
  }
}

function partsOf(written: WrittenScript): { readonly common: Common; readonly turns: readonly WrittenTurn[] } {
  if (isSteps(written)) return { common: {}, turns: [{ steps: written }] }
  if ('steps' in written) return { common: written, turns: [{ steps: written.steps }] }
  if (Array.isArray(written.turns)) return { common: written, turns: written.turns }
  throw new Error('a script is an array of steps, {"steps": [...]} or {"turns": [...]}')
}

const isSteps = (written: WrittenScript): written is readonly Step[] => Array.isArray(written)

export function toolsOf({ tool, tools, args }: Step): readonly ToolStep[] {
  return tools ?? (tool === undefined ? [] : [{ tool, args }])
}
