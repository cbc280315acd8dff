/**
 * The current step of a conversation in the script. The server keeps no state: the position follows from the
 * client's messages, so that retries, resumed and parallel sessions each get their own step.
 */

import { type Script, type Step, type Turn, toolsOf } from './script.ts'
import { isDiscovery } from './tools.ts'
import type { Entry, ModelRequest } from './types.ts'

export interface Position {
  readonly turn: string
  readonly index: number
  readonly step: Step
  /** The turn's tools so far, in order. */
  readonly results: readonly string[]
  readonly prompt: string
}

/** The position is decided by the last user text that matches a turn, and the tool results since. */
export function locate(script: Script, { entries }: ModelRequest): Position {
  for (let last = entries.length - 1; last >= 0; last--) {
    const entry = entries[last]
    const prompt = entry?.kind === 'user' ? promptOf(entry.text) : ''
    if (entry === undefined || prompt === '') continue
    const turn = turnFor(script, prompt, entry.beside === true)
    if (turn === undefined) continue
    const results = resultsOf(turn, entries.slice(last + 1))
    const index = stepIndex(turn, results.length)
    return { turn: turn.name, index, step: turn.steps[index] ?? { text: 'done' }, results, prompt }
  }
  return { turn: '(none)', index: 0, step: { text: script.fallback }, results: [], prompt: '' }
}

/** A turn for any prompt comes last, and does not match text next to tool results. */
function turnFor({ turns }: Script, prompt: string, beside: boolean): Turn | undefined {
  const named = turns.find(({ match }) => match?.test(prompt))
  return named ?? (beside ? undefined : turns.find(({ match }) => match === null))
}

function resultsOf(turn: Turn, after: readonly Entry[]): readonly string[] {
  const scripted = new Set(turn.steps.flatMap(toolsOf).map(({ tool }) => tool))
  const searches = after.filter(({ kind, text }) => kind === 'call' && isDiscovery(text) && !scripted.has(text))
  const aside = new Set(searches.map(({ id }) => id))
  return after.filter(({ kind, id }) => kind === 'result' && !aside.has(id)).map(({ text }) => text)
}

/** A step with tools is over when all of them have results. */
function stepIndex({ steps }: Turn, results: number): number {
  let left = results
  const open = steps.findIndex((step) => {
    const calls = toolsOf(step).length
    if (calls === 0 || left < calls) return true
    left -= calls
    return false
  })
  return open < 0 ? steps.length : open
}

const injected = [
  /<(system-reminder|environment_context|user_instructions|permissions instructions|session_context|skills_instructions|apps_instructions|plugins_instructions|hook_context|current_datetime|reminder)>[\s\S]*?<\/\1>/g,
  /^# AGENTS\.md instructions[\s\S]*$/,
  /^This is the (Gemini|Qwen)[\s\S]*$/,
]

/** A user's text without the additions of agent programs. */
export function promptOf(text: string): string {
  return injected.reduce((rest, pattern) => rest.replace(pattern, ''), text).trim()
}
