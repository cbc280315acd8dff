/**
 * Variables of a task whose value comes from the host: `${NAME}` or `${NAME:-otherwise}`, as the whole of a value. They are resolved when they
 * are needed and never written down, and a person says before which names a task may have.
 */

type Variables = Readonly<Record<string, string>>

interface Template {
  readonly name: string
  /** Null: it must be set. */
  readonly otherwise: string | null
}

/** Null for a value that is only a text. */
function templateOf(value: string): Template | null {
  const [, name, otherwise] = /^\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}$/.exec(value) ?? []
  return name === undefined ? null : { name, otherwise: otherwise ?? null }
}

/** Names of the host's variables that are asked for, each once. */
export function hostVariables(env: Variables): readonly string[] {
  return [...new Set(Object.values(env).flatMap((value) => templateOf(value)?.name ?? []))]
}

export type ResolvedVariables =
  | { readonly outcome: 'resolved'; readonly env: Variables }
  /** Names that are not set on the host and have nothing else. */
  | { readonly outcome: 'missing'; readonly names: readonly string[] }

/** `host`: what of the host may be seen. */
export function resolveVariables(env: Variables, host: Variables): ResolvedVariables {
  const rows = Object.entries(env).map(([key, value]) => ({ key, value, template: templateOf(value) }))
  const resolved = rows.map(({ key, value, template }) => {
    if (template === null) return { key, value }
    const own = Object.hasOwn(host, template.name) ? host[template.name] : undefined
    return { key, value: own ?? template.otherwise, name: template.name }
  })
  const names = resolved.flatMap(({ value, name }) => (value === null && name !== undefined ? [name] : []))
  if (names.length > 0) return { outcome: 'missing', names: [...new Set(names)] }
  return { outcome: 'resolved', env: Object.fromEntries(resolved.map(({ key, value }) => [key, value ?? ''])) }
}
