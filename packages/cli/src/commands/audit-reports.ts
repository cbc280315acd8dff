/** Reports of `agentpty audit` about all records together: whether they are unchanged, and how persons are asked. */

import { invalidInput } from '@agentpty/protocol'
import type { AuditRoom } from '@agentpty/protocol/audit'
import { type CommandCall, exitCode, textFlag } from '../command.ts'

export async function verifyAudit(room: AuditRoom, { options, flags, json }: CommandCall): Promise<number> {
  const verdict = await room.verify(headOf(textFlag(flags, 'head')))
  const { broken, files, records, first, last, hash, notes } = verdict
  if (json) await options.print(`${JSON.stringify(verdict)}\n`)
  else {
    const where = broken === null || broken.file === '' ? '' : `\n       ${broken.file}:${broken.line}`
    const found =
      broken !== null
        ? `broken at record ${broken.n}: ${broken.what}${where}\n`
        : first === null
          ? `nothing is recorded yet in ${room.folder}\n`
          : `as it was written: records ${first} to ${last} (${records}) in ${files} ${files === 1 ? 'file' : 'files'}\n`
    const kept = broken === null && last !== null ? `last   ${last}:${hash}\n` : ''
    await options.print(`${found}${notes.map((note) => `note   ${note}\n`).join('')}${kept}`)
  }
  return broken === null ? exitCode.ok : exitCode.failed
}

/** Errors: `invalid_input`. */
function headOf(given: string | undefined): { readonly n: number; readonly hash: string } | undefined {
  if (given === undefined) return undefined
  const [, n, hash] = /^(\d{1,15}):([\w-]{43})$/.exec(given) ?? []
  if (n !== undefined && hash !== undefined) return { n: Number(n), hash }
  throw invalidInput(
    `--head ${given}: not a record and its hash.`,
    'Give what `agentpty audit --verify` printed as last.',
  )
}

export async function printApprovalStatistics(
  room: AuditRoom,
  since: number | undefined,
  { options, json }: CommandCall,
): Promise<number> {
  const found = await room.approvals(since)
  const { asked, allowed, denied, expired, askedPerHour, busiestHour, medianAnswerMs, rules } = found
  if (json) {
    await options.print(`${JSON.stringify(found)}\n`)
    return exitCode.ok
  }
  const busiest =
    busiestHour === null ? '' : `; ${busiestHour.asked} in the hour from ${busiestHour.from.slice(0, 16)}Z`
  const rows = rules.map(
    (one) =>
      `${one.rule.padEnd(20)}  ${String(one.asked).padStart(6)}  ${String(one.allowed).padStart(7)}  ` +
      `${String(one.denied).padStart(6)}  ${one.allowedShare === null ? '-' : `${Math.round(one.allowedShare * 100)} %`}\n`,
  )
  await options.print(
    `asked     ${asked}, ${askedPerHour} an hour${busiest}\n` +
      `answers   ${allowed} allowed, ${denied} denied, ${expired} not answered in time\n` +
      `median    ${medianAnswerMs === null ? '-' : `${(medianAnswerMs / 1_000).toFixed(1)} s`} to an answer\n` +
      (rows.length === 0
        ? ''
        : `\n${'RULE'.padEnd(20)}   ASKED  ALLOWED  DENIED  ALLOWED OF ANSWERS\n${rows.join('')}`),
  )
  return exitCode.ok
}
