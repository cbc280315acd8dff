/** Variables of a task from the host, as `${NAME}` or `${NAME:-otherwise}`: resolved when needed, never written, allowed by a person. */

type Variables = Readonly<Record<string, string>>

/** Null for a value that is only a text. `otherwise` null: the variable must be set. */
function templateOf(value: string) {
  const [, name, otherwise] = /^\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}$/.exec(value) ?? []
  return name === undefined ? null : { name, otherwise: otherwise ?? null }
}

/** Names of the host's variables that are asked for, each once. */
export function hostVariables(env: Variables): readonly string[] {
  return [...new Set(Object.values(env).flatMap((value) => templateOf(value)?.name ?? []))]
}

type ResolvedVariables =
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

/** A pattern for each character: any number of characters, or one that passes the test. */
export type NamePattern = readonly ('any' | ((character: string) => boolean))[]

export function globParts(pattern: string): NamePattern {
  const pieces = pattern.match(/\*+|\?|\[[!^]?[^\]]+\]|\\[\s\S]|[\s\S]/gu) ?? []
  return pieces.map((piece) => {
    if (piece.startsWith('*')) return 'any'
    if (piece === '?') return () => true
    if (piece.length > 2 && piece.startsWith('[')) return classOf(piece.slice(1, -1))
    const wanted = piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece
    return (character) => character === wanted
  })
}

function classOf(inner: string): (character: string) => boolean {
  const isOpposite = /^[!^]./.test(inner)
  const ranges = (isOpposite ? inner.slice(1) : inner).match(/[\s\S]-[\s\S]|[\s\S]/gu) ?? []
  return (character) => isOpposite !== ranges.some((range) => isWithin(range, character))
}

function isWithin(range: string, character: string): boolean {
  const [first = '', , last = first] = [...range]
  return character >= first && character <= last
}

/** Backtracks to the last star only, which is enough. */
export function matchesName(pattern: NamePattern, name: string): boolean {
  const characters = [...name]
  let at = 0
  let star = -1
  let tried = 0
  for (let index = 0; index < characters.length; ) {
    const part = pattern[at]
    if (part === 'any') {
      star = at++
      tried = index
    } else if (part?.(characters[index] ?? '')) {
      at++
      index++
    } else if (star >= 0) {
      at = star + 1
      index = ++tried
    } else return false
  }
  return pattern.slice(at).every((part) => part === 'any')
}
