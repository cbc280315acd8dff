/** A program writes a file and exits immediately: does the caller get all of it? */
import { now, round } from '../lib/measure.mjs'
import { lineFile, onTerminal } from '../lib/workspace.mjs'

export const defaults = { runs: 100, sizes: [5_000, 64_000, 200_000], budget: 60_000 }

export const filesFor = (sizes) => sizes.map((size) => ({ size, path: lineFile(size), want: onTerminal(size) }))

export async function run({ peer }, { runs, sizes, budget }) {
  const result = {}
  for (const { size, path, want } of filesFor(sizes)) {
    const short = []
    let error
    let done = 0
    const startedAt = now()
    for (; done < runs && now() - startedAt < budget; done++) {
      const got = await peer.collect(path, want).catch((reason) => {
        error = reason.message.slice(0, 200)
        return 0
      })
      if (got < want) short.push(want - got)
    }
    result[size] = { incomplete: short.length, runs: done, short, wallMs: round(now() - startedAt), error }
  }
  return result
}
