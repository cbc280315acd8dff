/** Copies the output of a command from the daemon's log, not from the drawn screen. */

import { outputBytesMax } from '@agentpty/protocol'
import { outputGaps } from '@agentpty/protocol/call'
import { attempt, say } from '../store/store.ts'
import type { MarkedCommand } from '../terminal/command-marks.ts'

export async function copyOutput(terminalId: string, { offset, end }: MarkedCommand): Promise<void> {
  if (offset === null) {
    say('The position of its output is unknown. Select the text under “Read screen”.', true)
    return
  }
  const range = { since: offset, maxBytes: outputBytesMax, ...(end === null ? {} : { until: end }) }
  const read = await attempt((client) => client.call('read', { terminalId, ...range }))
  if (read === null) return
  await copyText(read.output, ['Copied the output of one command.', ...outputGaps(read)].join(' '))
}

export async function copyText(text: string, done = 'Copied.'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
  } catch {
    say('The browser does not let this page copy. Select the text under “Read screen”.', true)
  }
}
