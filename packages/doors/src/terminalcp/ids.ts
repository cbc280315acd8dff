/**
 * Maps the ids of terminalcp's sessions, which may be any text, to the names of terminals and back. An id that can be a
 * terminal's name is used as it is; any other is escaped byte by byte, so that every daemon can decode it.
 */

import { createHash } from 'node:crypto'
import { nameCharactersMax } from '@agentpty/protocol'
import { TerminalName } from '@agentpty/protocol/call'

const writtenPrefix = 'tcp.'
/** Names of ids that are too long to be escaped: they hold only a hash. */
const hashed = /^tcp\.-[0-9a-f]{40}$/

/**
 * @example terminalOf('my server/1') // 'tcp.my_20server_2f1'
 */
export function terminalOf(id: string): string {
  if (TerminalName.safeParse(id).success && sessionIdOf(id) === id) return id
  const name = `${writtenPrefix}${written(id)}`
  if (name.length <= nameCharactersMax) return name
  return `${writtenPrefix}-${createHash('sha256').update(id).digest('hex').slice(0, 40)}`
}

/** The id in a name. Of an id that was too long it is the name itself, which finds the session too. */
export function sessionIdOf(name: string): string {
  if (!name.startsWith(writtenPrefix) || hashed.test(name)) return name
  const bytes = name
    .slice(writtenPrefix.length)
    .replaceAll(/_([0-9a-f]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const id = Buffer.from(bytes, 'latin1').toString('utf8')
  return name === `${writtenPrefix}${written(id)}` ? id : name
}

function written(id: string): string {
  return [...Buffer.from(id)]
    .map((byte) => String.fromCharCode(byte))
    .map((one) => (/[A-Za-z0-9.-]/.test(one) ? one : `_${one.charCodeAt(0).toString(16).padStart(2, '0')}`))
    .join('')
}
