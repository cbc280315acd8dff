/** Conditions of table rows: the names of signs, all of which must hold. `!` before a name: it must not hold. */

export type When<Sign extends string> = readonly (Sign | `!${Sign}`)[]

/** Returns one test for all of them, asked in their order up to the first that fails. */
export function allOf<Seen extends readonly unknown[]>(
  signs: ReadonlyMap<string, (...seen: Seen) => boolean>,
  when: readonly string[],
): (...seen: Seen) => boolean {
  const wanted = when.map((name) => {
    const isNegated = name.startsWith('!')
    const sign = signs.get(isNegated ? name.slice(1) : name)
    if (sign === undefined) throw new Error(`A row asks for the sign "${name}", which is not there.`)
    return { sign, isNegated }
  })
  return (...seen) => wanted.every(({ sign, isNegated }) => sign(...seen) !== isNegated)
}
