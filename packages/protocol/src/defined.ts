/** Optional fields: with `exactOptionalPropertyTypes` an absent field must be left out, and may not be undefined. */

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
