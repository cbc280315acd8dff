import type { Client } from '../../../contracts/client.ts'
import { scrollbackRows } from '../../../contracts/limits.ts'

/** The last `lines` rows of the scrollback and the screen. */
export async function screenTail(client: Client, terminalId: string, lines: number): Promise<readonly string[]> {
  const { screen } = await client.call(
    'screenshot',
    { terminalId, lines: Math.min(lines, scrollbackRows) },
    { keepsBlanks: true },
  )
  return screen === '' ? [] : screen.split('\n').slice(-lines)
}
