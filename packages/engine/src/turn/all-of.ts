/** Conditions of table rows: the names of signs, all of which must hold. `!` before a name: it must not hold. */

export type When<Sign extends string> = readonly (Sign | `!${Sign}`)[]

/** Returns one test for all of them, which asks them in their order up to the first that fails. */
export function allOf<Seen>(
  signs: ReadonlyMap<string, (seen: Seen) => boolean>,
  when: readonly string[],
): (seen: Seen) => boolean {
  const [first, second, ...rest] = when.map((name) => signOf(signs, name))
  // Some sixty rows are asked for each sample of the kernel; most have one sign or none.
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (rest.length === 0) return (seen) => first(seen) && second(seen)
  return (seen) => first(seen) && second(seen) && rest.every((sign) => sign(seen))
}

function signOf<Seen>(signs: ReadonlyMap<string, (seen: Seen) => boolean>, name: string): (seen: Seen) => boolean {
  const isNegated = name.startsWith('!')
  const sign = signs.get(isNegated ? name.slice(1) : name)
  if (sign === undefined) throw new Error(`A row asks for the sign "${name}", which is not there.`)
  return isNegated ? (seen) => !sign(seen) : sign
}
