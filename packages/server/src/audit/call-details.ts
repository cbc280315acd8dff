/** The journal's words for a call, and the terminals that it names. */

import { auditWordsCharactersMax } from '@agentpty/protocol/audit'
import type { Call } from '@agentpty/protocol/call'
import { isVerbName, type Verb, verbs } from '@agentpty/protocol/verbs'

/** The words of the verb's record; null for what is not a verb. */
export function detailsOf({ name, input }: Call): string | null {
  if (!isVerbName(name)) return null
  const { journal }: Verb = verbs[name]
  const words = journal?.(input) ?? null
  return words === null ? null : shortened(words, auditWordsCharactersMax)
}

const sessionsMax = 50

/** The terminals that a call names or has made, by the names that it uses. */
export function sessionsOf({ input, typesInto }: Call, result: unknown): readonly string[] {
  const { terminalId, terminalIds } = fieldsOf(input)
  if (typeof terminalId === 'string' && terminalIds === undefined) return [terminalId]
  const { terminalId: made, terminal, closed } = fieldsOf(result)
  const named = [terminalId ?? typesInto ?? [], terminalIds ?? []].flat()
  const found = named.length > 0 ? named : [made ?? fieldsOf(terminal)['terminalId'] ?? closed ?? []].flat()
  return [...new Set(found.filter((one): one is string => typeof one === 'string'))].slice(0, sessionsMax)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** The beginning and the end; a copy, so that a long text is not kept for a few words of it. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const half = Math.floor(charactersMax / 2)
  return Buffer.from(
    `${text.slice(0, half)} [${text.length - 2 * half} characters] ${text.slice(-half)}`,
    'utf8',
  ).toString('utf8')
}
