/** Records of the audit journal for people: one line each, in which nothing that an agent typed can mislead. */

import { shownText } from '@agentpty/protocol/approvals'
import type { AuditEntry } from '@agentpty/protocol/audit'
import { callerWords } from '@agentpty/protocol/call'

const textCharactersMax = 120

export function auditTable(entries: readonly AuditEntry[]): string {
  return entries.length === 0 ? 'Nothing is recorded.\n' : entries.map(toLine).join('')
}

function toLine(entry: AuditEntry): string {
  const { time, id } = entry
  const session = 'session' in entry && typeof entry.session === 'string' ? entry.session : '-'
  const { who, what } = wordsOf(entry)
  return `${time.slice(0, 19).replace('T', ' ')}  ${id}  ${session.padEnd(8)}  ${who}  ${what}\n`
}

interface Words {
  readonly who: string
  readonly what: string
}

function wordsOf(entry: AuditEntry): Words {
  switch (entry.kind) {
    case 'call':
      return callWords(entry)
    case 'end':
      return { who: '-', what: `${entry.of} ended: ${entry.outcome}` }
    case 'approval': {
      const waited = entry.waitedMs === undefined ? '' : ` after ${(entry.waitedMs / 1_000).toFixed(1)} s`
      return {
        who: plain(entry.by ?? '-'),
        what: `${entry.approvalId} ${entry.event}${waited} (${entry.rule}): ${plain(entry.resolved)}`,
      }
    }
    case 'difference': {
      const whose = entry.person === true ? 'a person types there' : 'it was not judged'
      return { who: 'shell', what: `ran a line; ${whose}: ${plain(entry.line)}` }
    }
    case 'policy': {
      const problems = entry.problems.map((one) => `; ${plain(one)}`).join('')
      return { who: 'policy', what: `${plain(entry.file)} ${entry.state}, ${entry.rules} rules${problems}` }
    }
    case 'scope': {
      const until = entry.event === 'made' && entry.expiresAt !== undefined ? ', for a time' : ''
      return { who: plain(entry.by ?? '-'), what: `token of scope ${plain(entry.scope)} ${entry.event}${until}` }
    }
    case 'device': {
      const what = entry.event === 'signedIn' ? 'signed in to the page' : 'was signed out of the page'
      return {
        who: plain(entry.by ?? entry.name),
        what: `${plain(entry.name)} (${entry.device}) ${what}: ${plain(entry.access)}`,
      }
    }
    case 'effect': {
      const { program, what, count, area, command, answer = 'noted' } = entry
      const effect = answer === 'noted' ? `would ${what}` : `${what} ${answer}`
      const calls = count === 1 ? '1 call' : `${count} calls`
      return { who: plain(program), what: `${effect}, below ${plain(area)} (${calls}): ${plain(command)}` }
    }
    case 'gate': {
      const count = entry.count === undefined ? '' : ` ${entry.count} calls`
      return { who: 'gate', what: `${entry.event}${count}: ${plain(entry.why)}` }
    }
    case 'journal':
      return { who: 'journal', what: journalWords(entry) }
  }
}

function callWords(entry: Extract<AuditEntry, { readonly kind: 'call' }>): Words {
  const { who, verb, verdict, rule, outcome, text, resolved, approvalId } = entry
  const judged =
    verdict === undefined
      ? ''
      : ` ${verdict}${rule === undefined ? '' : ` ${rule}`}${approvalId === undefined ? '' : ` ${approvalId}`}`
  const ended = outcome === 'done' ? '' : ` [${outcome}]`
  const shown = plain(text ?? resolved ?? '')
  return {
    who: plain(callerWords(who)),
    what: `${verb}${judged}${ended}${shown === '' ? '' : `: ${shown}`}`,
  }
}

function journalWords(entry: Extract<AuditEntry, { readonly kind: 'journal' }>): string {
  const words: Readonly<Record<typeof entry.event, string>> = {
    started: `the daemon started, pid ${entry.pid ?? '?'}, version ${plain(entry.version ?? '?')}`,
    ended: `the daemon ended; ${plain(entry.why ?? '')}`,
    repaired: `a line before this was torn (${entry.torn?.bytes ?? 0} bytes): its writer was killed`,
    dropped: `older records were dropped; the journal begins at record ${entry.before ?? '?'}`,
    lost: `${entry.count ?? 0} records before this could not be written`,
    gap: `${entry.count ?? 0} records that were written are missing`,
  }
  return words[entry.event]
}

const plain = (text: string) => shownText(text.trim(), textCharactersMax).replaceAll('\n', ' ⏎ ')
