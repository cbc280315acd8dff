/** Optional fields: `exactOptionalPropertyTypes` wants those that are not there left out, not undefined. */

/** What may be undefined in `Fields` is optional in it. */
export type Defined<Fields> = {
  readonly [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key]
} & {
  readonly [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>
}

/**
 * The same object without its fields that are undefined.
 *
 * @example defined({ id: 3, name: undefined }) // { id: 3 }
 */
export function defined<const Fields extends object>(fields: Fields): Defined<Fields> {
  const kept: Record<string, unknown> = {}
  // A loop: this stands in the way of every call several times.
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value
  return kept as Defined<Fields>
}
