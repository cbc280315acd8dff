/** Names that a misspelt one may have meant: closest first, none farther than `farthest` letters from it. */
export function nearNames(
  name: string,
  candidates: readonly string[],
  { count, farthest = Math.max(2, Math.floor(name.length / 2)) }: NearNamesOptions,
): readonly string[] {
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

export interface NearNamesOptions {
  readonly count: number
  /** In letters inserted, left out or replaced; by default half of the name. */
  readonly farthest?: number
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i += 1) {
    const above = row
    row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
  }
  return row[b.length] ?? 0
}
