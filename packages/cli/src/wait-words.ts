/** Conditions as people write them on a command line: `ready:high`, `text:Listening on`, `quiet:500`. */

import { TermError } from '@agentpty/protocol'
import type { WaitFor } from '@agentpty/protocol/call'
import { type Confidence, confidences } from '@agentpty/protocol/session'

type Single = Exclude<WaitFor, readonly unknown[]>

const plain = ['ready', 'output', 'command', 'exit', 'none'] as const

export const waitForHelp = `CONDITION: ready, ready:${confidences.join('|')}, output, command (a shell command has finished), exit, none, text:TEXT, pattern:REGEX, quiet:MS, stable:MS`

export const waitForChoices: readonly string[] = [
  ...plain,
  ...confidences.map((one) => `ready:${one}`),
  'text:',
  'pattern:',
  'quiet:',
  'stable:',
]

/** Undefined without words. Errors: `invalid_input` that names the choices. */
export function parseWaitFor(words: readonly string[]): WaitFor | undefined {
  if (words.length === 0) return undefined
  const parsed = words.map(parseOne)
  return parsed.length === 1 ? parsed[0] : parsed
}

function parseOne(word: string): Single {
  const simple = plain.find((one) => one === word)
  if (simple !== undefined) return simple
  const colon = word.indexOf(':')
  const [kind, rest] = [word.slice(0, colon), word.slice(colon + 1)]
  if (kind === 'ready' && isConfidence(rest)) return { ready: rest }
  if (kind === 'text' && rest !== '') return { text: rest }
  if (kind === 'pattern' && rest !== '') return { pattern: rest }
  if (kind === 'quiet' && /^\d+$/.test(rest)) return { quietMs: Number(rest) }
  if (kind === 'stable' && /^\d+$/.test(rest)) return { stableMs: Number(rest) }
  throw new TermError('invalid_input', `"${word}" is nothing to wait for.`, waitForHelp)
}

function isConfidence(word: string): word is Confidence {
  return confidences.some((one) => one === word)
}
