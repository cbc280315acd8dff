/** The part of a program's arguments that the notes of its session keep: the first ones, for the list of terminals. */

import { notedArgvBytesMax } from '@agentpty/protocol'

const cut = '…'

/** The same arguments when they are short; else their beginning, and at least the program itself, up to the bound. */
export function notedArgv(argv: readonly string[]): readonly string[] {
  const noted: string[] = []
  let left = notedArgvBytesMax
  for (const argument of argv) {
    const kept = left > 0 ? beginning(argument, left) : ''
    noted.push(kept)
    left -= Buffer.byteLength(JSON.stringify(kept)) + 1
    if (kept !== argument) return noted
  }
  return noted
}

/** As much as takes at most that many bytes of JSON, which writes some characters as six. */
function beginning(text: string, bytesMax: number): string {
  if (text.length <= bytesMax && Buffer.byteLength(JSON.stringify(text)) <= bytesMax) return text
  let length = Math.min(text.length, bytesMax)
  while (length > 0 && Buffer.byteLength(JSON.stringify(text.slice(0, length) + cut)) > bytesMax)
    length = Math.floor(length / 2)
  return text.slice(0, length) + cut
}
