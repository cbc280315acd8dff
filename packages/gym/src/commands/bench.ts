/** `agentpty gym bench`: how fast environments are here. */

import { type Command, ProgressLine, printResult, table, withClient } from '@agentpty/cli'
import type { BenchRow } from '@agentpty/protocol/gym'

export const benchGym: Command = {
  name: 'gym bench',
  usage: '',
  summary: 'measure steps and resets on this machine, in a few seconds',
  group: 'gym',
  words: [0, 0],
  examples: ['agentpty gym bench'],
  run: async (call) => {
    const { options, json } = call
    const rows: BenchRow[] = []
    const progress = new ProgressLine(call)
    progress.show('Measuring …')
    try {
      const room = await options.gym()
      await withClient(options, (client) =>
        room.bench(client, (row) => {
          rows.push(row)
          progress.show(`Measured: ${row.what} …`)
        }),
      )
    } finally {
      progress.clear()
    }
    return printResult({ options, json }, { rows }, table([['', 'p50', 'p95'], ...rows.map(cells)]))
  },
}

const ms = (value: number | null): string => (value === null ? '' : `${value.toFixed(1)} ms`)

const cells = ({ what, p50Ms, p95Ms, perSecond }: BenchRow): readonly string[] =>
  perSecond === null ? [what, ms(p50Ms), ms(p95Ms)] : [what, `${Math.round(perSecond)} per second`]
