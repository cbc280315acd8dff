/** Copies the output of a command from the daemon's log, not from the drawn screen. */

import { outputBytesMax } from '@agentpty/protocol'
import { outputGaps } from '@agentpty/protocol/call'
import { attempt, say } from '../store/store.ts'
import type { MarkedCommand } from '../terminal/command-marks.ts'
import { commandBlock } from '../terminal/markdown.ts'

export async function copyOutput(terminalId: string, command: MarkedCommand): Promise<void> {
  const read = await outputOf(terminalId, command)
  if (read !== null) await copyText(read.output, ['Copied the output of one command.', ...outputGaps(read)].join(' '))
}

/** Copies the command and its output as a block of Markdown. */
export async function copyAsMarkdown(terminalId: string, command: MarkedCommand): Promise<void> {
  const read = await outputOf(terminalId, command)
  if (read === null) return
  const gaps = outputGaps(read)
  await copyText(commandBlock(command, read.output), ['Copied the command as Markdown.', ...gaps].join(' '))
}

async function outputOf(terminalId: string, { offset, end }: MarkedCommand) {
  if (offset === null) {
    say('The position of its output is unknown. Select the text under “Read screen”.', true)
    return null
  }
  const range = { since: offset, maxBytes: outputBytesMax, ...(end === null ? {} : { until: end }) }
  return attempt((client) => client.call('read', { terminalId, ...range }))
}

export async function copyText(text: string, done = 'Copied.'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
  } catch {
    say('The browser does not let this page copy. Select the text under “Read screen”.', true)
  }
}
