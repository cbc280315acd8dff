/** `agentpty audit`: the recorded actions, with their callers and approvals. It reads files without a daemon. */

import { defined, invalidInput } from '@agentpty/protocol'
import { type AuditEntry, type AuditQuery, type AuditRoom, auditEntriesMax } from '@agentpty/protocol/audit'
import { type Command, type CommandCall, exitCode, numberFlag, textFlag } from '../command.ts'
import { auditTable } from '../format-audit.ts'
import { sinceIn } from '../parse-values.ts'
import { untilLeft } from '../until-left.ts'
import { printApprovalStatistics, verifyAudit } from './audit-reports.ts'

const verdicts = ['allow', 'ask', 'deny'] as const
const limitDefault = 50

export const showAudit: Command = {
  name: 'audit',
  usage: '',
  summary: 'show who did what, what was refused, and who allowed it',
  group: 'records',
  words: [0, 0],
  flags: {
    session: { type: 'string', short: 's', value: 'ID', help: 'only this terminal' },
    since: { type: 'string', value: 'TIME', help: '30m, 2h, 7d, or a time such as 2026-05-01T12:00' },
    verdict: { type: 'string', value: 'V', help: 'only calls with this verdict', choices: verdicts },
    limit: { type: 'string', short: 'n', value: 'N', help: `show the newest N; default ${limitDefault}` },
    follow: { type: 'boolean', short: 'f', help: 'keep running and show each new record; q leaves' },
    verify: { type: 'boolean', help: 'check that no record was changed; exit code 1 if one was' },
    head: {
      type: 'string',
      value: 'N:HASH',
      help: 'with --verify: this record must still be there, or have been dropped by age',
    },
    approvals: { type: 'boolean', help: 'show how often people are asked, how fast they answer, and what they answer' },
  },
  notes: [
    'The newest record is last. Secrets are masked, and text that a person types is never recorded.',
    'Each record contains the hash of the one before, so --verify finds a change, a removal or another order.',
    'Keep the N:HASH that --verify prints elsewhere: --head then finds a journal that was written anew. Fields: docs/audit.md',
  ],
  examples: [
    'agentpty audit --since 2h --verdict deny',
    'agentpty audit --session term-3 --follow',
    'agentpty audit --verify',
    'agentpty audit --approvals --since 7d',
  ],
  run: async (call) => {
    const room = await call.options.audit()
    if (call.flags['verify'] === true) return verifyAudit(room, call)
    if (call.flags['approvals'] === true) return printApprovalStatistics(room, sinceIn(call.flags, room), call)
    return show(room, call)
  },
}

async function show(room: AuditRoom, call: CommandCall): Promise<number> {
  const query = queryOf(call, room)
  const entries = await room.read(query)
  const isFollowed = call.flags['follow'] === true
  const write = (some: readonly AuditEntry[]) =>
    call.options.print(call.json && isFollowed ? lines(some) : call.json ? one(some) : auditTable(some))
  if (entries.length > 0 || !isFollowed) await write(entries)
  if (!isFollowed) return exitCode.ok
  const over = new AbortController()
  const stop = untilLeft(call.options, () => over.abort())
  const after = entries.at(-1)?.n ?? (await room.verify()).last ?? 0
  for await (const entry of room.follow(after, over.signal)) if (isAskedFor(entry, query)) await write([entry])
  stop()
  return exitCode.ok
}

const one = (entries: readonly AuditEntry[]) => `${JSON.stringify({ records: entries })}\n`
const lines = (entries: readonly AuditEntry[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

function isAskedFor(entry: AuditEntry, { session, verdict }: AuditQuery): boolean {
  if (session !== undefined && !('session' in entry && entry.session === session)) return false
  return verdict === undefined || (entry.kind === 'call' && entry.verdict === verdict)
}

function queryOf(call: CommandCall, room: AuditRoom): AuditQuery {
  const { flags } = call
  const given = textFlag(flags, 'verdict')
  const verdict = verdicts.find((one) => one === given)
  if (given !== undefined && verdict === undefined)
    throw invalidInput(`--verdict ${given}: no such verdict.`, `One of: ${verdicts.join(', ')}`)
  const limit = Math.min(numberFlag(flags, 'limit') ?? limitDefault, auditEntriesMax)
  return defined({ limit, verdict, session: textFlag(flags, 'session'), since: sinceIn(call.flags, room) })
}
