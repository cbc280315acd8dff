/** What a record says of a call: in a table by verb, so that a text or a secret gets in only where somebody has put it. */

import { auditWordsCharactersMax } from '../../contracts/audit/audit-limits.ts'
import { type Call, isOfVerb } from '../../contracts/call/guard.ts'

/** Of calls that no guard has judged. What persons type, answer or write is theirs, and not told. */
export function detailsOf(call: Call): string | null {
  if (isOfVerb(call, 'decide')) return `${call.input.approvalId} ${call.input.answer}`
  if (isOfVerb(call, 'revoke')) return call.input.grantId
  if (isOfVerb(call, 'revokeDevice')) return call.input.deviceId
  if (isOfVerb(call, 'openPage')) return call.input.readOnly ? 'read-only' : null
  if (isOfVerb(call, 'rename')) return call.input.name
  if (isOfVerb(call, 'resize')) return `${call.input.cols}x${call.input.rows}`
  if (isOfVerb(call, 'signal')) return call.input.signal
  if (isOfVerb(call, 'take')) return call.input.reason ?? null
  if (isOfVerb(call, 'release')) return call.input.mayType
  if (isOfVerb(call, 'inbox')) return call.input.take
  if (isOfVerb(call, 'pause')) return call.input.paused ? 'paused' : 'goes on'
  if (isOfVerb(call, 'stopLineage')) return `${call.input.nodeId} ${call.input.nodes}`
  if (isOfVerb(call, 'changeLineage')) return call.input.change.kind
  if (isOfVerb(call, 'answer')) return call.input.questionId
  if (isOfVerb(call, 'spawn')) return shortened([call.input.command ?? []].flat().join(' '), auditWordsCharactersMax)
  return null
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
