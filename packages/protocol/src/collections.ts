/** A map with at most `max` entries: the one that was written first is evicted first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #max: number
  readonly #onEvicted: (value: Value) => void

  /** @param onEvicted - Called with the value of an entry that made room for a newer one. */
  constructor(max: number, onEvicted: (value: Value) => void = () => undefined) {
    this.#max = max
    this.#onEvicted = onEvicted
  }

  /** All entries, the oldest first. */
  get entries(): ReadonlyMap<Key, Value> {
    return this.#entries
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** The entry is the newest from now on. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    for (const [oldest, evicted] of this.#entries) {
      if (this.#entries.size <= this.#max) return
      this.#entries.delete(oldest)
      this.#onEvicted(evicted)
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}

/**
 * Returns a function whose calls are gathered: `act` runs once for all of them, when what runs now has ended (as a
 * microtask). For work that each of several pieces of news asks for, and that one run does for all.
 */
export function coalesced(act: () => void): () => void {
  let isDue = false
  const run = () => {
    isDue = false
    act()
  }
  return () => {
    if (isDue) return
    isDue = true
    queueMicrotask(run)
  }
}

/** Runs work with the same key one after the other, in the order it came. Work with different keys does not wait. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve()
    // How the work before it ended concerns only that work's own caller.
    const mine = before.then(work, work)
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}

// A list in an error, which its reader pays for: at most five, and how many more there are.

const shownMax = 5

/** @example firstFew(['a', 'b']) // 'a, b' */
export function firstFew(names: readonly string[]): string {
  const more = names.length - shownMax
  return `${names.slice(0, shownMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

// Optional fields: with `exactOptionalPropertyTypes` an absent field must be left out, and may not be undefined.

/** Fields that may be undefined in `Fields` are optional in it. */
export type Defined<Fields> = {
  readonly [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key]
} & {
  readonly [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>
}

/**
 * Returns the object without its fields that are undefined. It may be the given one: pass an object without other
 * owners.
 *
 * @example defined({ id: 3, name: undefined }) // { id: 3 }
 */
export function defined<const Fields extends object>(fields: Fields): Defined<Fields> {
  // Every call passes here several times, and mostly there is nothing to leave out.
  for (const name in fields) if (fields[name] === undefined) return copyDefined(fields)
  return fields as Defined<Fields>
}

function copyDefined<Fields extends object>(fields: Fields): Defined<Fields> {
  const kept: Record<string, unknown> = {}
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name]
  return kept as Defined<Fields>
}
