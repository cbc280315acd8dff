/** What the gates report, as records of the journal. */

import type { AuditBody } from '@agentpty/protocol/audit'
import type { GateMessage } from '@agentpty/protocol/effects'

const charactersMax = 300

/** Null for what is no record: a gate that works. */
export function effectRecord(session: string, message: GateMessage): AuditBody | null {
  switch (message.kind) {
    case 'state':
      return message.state === 'none' ? { kind: 'gate', event: 'none', session, why: message.reason } : null
    case 'blind':
      return { kind: 'gate', event: 'blind', session, why: message.reason, count: message.count }
    case 'asks': {
      const { id, count, verb, answer, program, pid, command, area, path } = message
      const words = { command: shortened(command), area: shortened(area), path: shortened(path) }
      return { kind: 'effect', session, question: id, what: verb, count, answer, program, pid, ...words }
    }
  }
}

/** The end of a path says most. */
const shortened = (text: string) => (text.length > charactersMax ? `[...]${text.slice(-charactersMax)}` : text)
