import type { AgentCall } from './queued-agents.ts'
import { newLines } from './text.ts'
import { screenTail, waitPattern } from './waits.ts'

const linesDefault = 50
export const linesMax = 100
const patternSecondsDefault = 30
/** Limit of agents whose last reading is kept for `since_last`. */
export const lastReadMax = 64

interface ReadRequest {
  readonly lines?: number | null | undefined
  readonly since_last?: boolean | null | undefined
  readonly pattern?: string | null | undefined
  /** In seconds. */
  readonly timeout?: number | null | undefined
}

/** Reads the last lines of an agent's terminal for `read_from_agent`. `found` is null where no text was waited for. */
export async function readLines(
  terminalId: string,
  { lines: asked, since_last: sinceLast, pattern, timeout }: ReadRequest,
  call: AgentCall,
): Promise<{ readonly rows: readonly string[]; readonly found: boolean | null }> {
  const { client, clock, lastRead } = call
  const lines = linesOf(asked ?? linesDefault)
  const seconds = timeout ?? patternSecondsDefault
  const { rows, found } =
    pattern == null
      ? { rows: await screenTail(client, terminalId, lines), found: null }
      : await waitPattern({ terminalId, pattern, lines, seconds }, call, clock)
  const shown = sinceLast === true ? newLines(lastRead.get(terminalId) ?? [], rows) : rows
  lastRead.set(terminalId, rows)
  return { rows: shown, found }
}

export function linesOf(asked: number): number {
  return Math.min(Math.max(1, asked), linesMax)
}
