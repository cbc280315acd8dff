import type { PolicyState } from '../state/policy-state.ts'
import { isKnown } from '../walk/value.ts'
import { normalPath } from './paths.ts'

/** Absolute and normal, with known links followed; null when it cannot be known. */
export function resolvePath(path: string, { cwd, links }: PolicyState): string | null {
  if (!isKnown({ text: path })) return null
  // A short unknown name in a path may be any name.
  const text = path.replaceAll('\u0001', '*')
  if (!text.startsWith('/') && cwd.value === null) return null
  const full = normalPath(text.startsWith('/') ? text : `${cwd.value}/${text}`)
  for (const [link, target] of links)
    if (full === link || full.startsWith(`${link}/`)) return normalPath(`${target}${full.slice(link.length)}`)
  return full
}
