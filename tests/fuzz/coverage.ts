/** The executed blocks of code, as counted by V8. */

import inspector from 'node:inspector'

/** Starts counting for the whole process. Code that ran before is not counted by block afterwards. */
const counting = new inspector.Session()
counting.connect()
ask('Profiler.enable')
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

interface Taken {
  readonly result: readonly { readonly url: string; readonly functions: readonly TakenFunction[] }[]
}

interface TakenFunction {
  /** The whole function first, then blocks with other counts than their surroundings. */
  readonly ranges: readonly Range[]
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface Block {
  readonly name: string
  readonly count: number
}

export class Coverage {
  readonly #covers: readonly string[]
  /** Every block that ever had its own count, by function. */
  readonly #known = new Map<string, Map<string, Range>>()

  /** Counts sources below `packages/` that begin with one of `covers`. */
  constructor(covers: readonly string[]) {
    this.#covers = covers.map((path) => `packages/${path}`)
    // Ignores what ran before.
    this.#take()
  }

  /** The blocks executed since the last call. */
  takeBlocks(): ReadonlySet<string> {
    return new Set(this.#take().map(({ name }) => name))
  }

  /** The same, with a rough count: once, a few times, often. */
  takeCounts(): ReadonlySet<string> {
    return new Set(this.#take().map(({ name, count }) => `${name} ${Math.min(8, Math.ceil(Math.log2(count + 1)))}`))
  }

  #take(): readonly Block[] {
    const { result } = ask('Profiler.takePreciseCoverage') as Taken
    const covered = result.filter(({ url }) => this.#covers.some((path) => url.includes(path)))
    return covered.flatMap(({ url, functions }) => functions.flatMap((each) => this.#blocksOf(url, each)))
  }

  /**
   * A block that ran as often as its surroundings is not reported: its count is that of the smallest range around it.
   */
  #blocksOf(url: string, { ranges }: TakenFunction): readonly Block[] {
    const [whole] = ranges
    if (whole === undefined) return []
    const key = `${url}:${whole.startOffset}`
    const known = this.#known.get(key) ?? new Map<string, Range>()
    this.#known.set(key, known)
    for (const range of ranges) known.set(`${range.startOffset}-${range.endOffset}`, range)
    return [...known].flatMap(([range, block]) => {
      const isAround = (one: Range) => one.startOffset <= block.startOffset && one.endOffset >= block.endOffset
      const count = ranges.findLast(isAround)?.count ?? 0
      return count > 0 ? [{ name: `${url}:${range}`, count }] : []
    })
  }
}

function ask(method: string, parameters: object = {}): unknown {
  let answer: unknown
  counting.post(method, parameters, (error, result) => {
    if (error !== null) throw error
    answer = result
  })
  return answer
}
