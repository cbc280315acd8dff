/** `agentpty policy why ID`: the rule, and its file, that decided a past call. */

import { invalidInput } from '@agentpty/protocol'
import { shownText } from '@agentpty/protocol/approvals'
import type { RecordOf } from '@agentpty/protocol/audit'
import { callerWords } from '@agentpty/protocol/call'
import { type CommandCall, printResult } from '../command.ts'

/** Errors: `invalid_input` for an id that is not there, or whose call was not judged. */
export async function explainPastCall(id: string, { options, json }: CommandCall): Promise<number> {
  const room = await options.audit()
  const found = await room.find(id)
  if (found === null)
    throw invalidInput(
      `policy why ${id}: no such call is recorded.`,
      'An id is like au-1k2x9f0q, in the refusal itself or in: agentpty audit. Old records are dropped.',
    )
  if (found.verdict === undefined)
    throw invalidInput(`policy why ${id}: that ${found.verb} was not judged.`, 'See: agentpty audit')
  return printResult({ options, json }, { call: found }, toText(found))
}

function toText(call: RecordOf<'call'> & { readonly time: string }): string {
  const { id, time, who, cwd, text, resolved, verdict, rule, source, profile, profileSource } = call
  const profileAt = profileSource === undefined ? 'built in' : `${profileSource.file}:${profileSource.line}`
  const ruleAt = source === undefined ? 'built in' : `${source.file}:${source.line}`
  const approval = call.approvalId === undefined ? '' : `, ${call.approvalId}`
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['when', time],
    ['who', callerWords(who)],
    ['what', `${whatOf(call)}, folder ${cwd ?? '-'}`],
    ['text', text],
    ['decided', resolved],
    ['verdict', `${verdict}${approval}; ended: ${call.outcome}`],
    ['rule', rule === undefined ? 'none speaks against it' : `${rule} (${ruleAt})`],
    ['because', call.reason],
    ['profile', `${profile} (${profileAt})`],
  ]
  const shown = rows.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name.padEnd(8)}  ${shownText(value.trim(), textMax).replaceAll('\n', '\n          ')}\n`],
  )
  return `${id}\n${shown.join('')}`
}

function whatOf({ verb, text, session }: RecordOf<'call'>): string {
  if (verb === 'tool') return `the tool ${text}`
  return `${verb}${session === undefined ? ' in a new terminal' : ` in ${session}`}`
}

const textMax = 2_000
