import { shownText } from '@agentpty/protocol/approvals'

const charactersMax = 200

/** The last line of what a program has written, as people may be shown it; null for nothing. */
export function lastWordsOf(output: Buffer): string | null {
  const line = output.toString().trim().split('\n').at(-1) ?? ''
  return line === '' ? null : shownText(line, charactersMax)
}
