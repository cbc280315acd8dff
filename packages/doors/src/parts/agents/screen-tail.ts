import { type ServerClient, scrollbackRows } from '@agentpty/protocol'

/** The last `lines` rows of the scrollback and the screen. */
export async function screenTail(client: ServerClient, terminalId: string, lines: number): Promise<readonly string[]> {
  const { screen } = await client.call(
    'screenshot',
    { terminalId, lines: Math.min(lines, scrollbackRows) },
    { keepsBlanks: true },
  )
  return screen === '' ? [] : screen.split('\n').slice(-lines)
}
