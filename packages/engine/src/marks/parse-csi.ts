/** What a CSI says: its parameters and final byte as marks. Nearly all of them paint, and say nothing. */

import type { MarkBody, QueryMark } from './mark.ts'

/** The final bytes that can be marks, so that a scanner need not decode the rest. */
export const markFinals: ReadonlySet<number> = new Set(Array.from('hlcnpqtu', (letter) => letter.charCodeAt(0)))

/** @param parameters - What stood between `ESC [` and the final byte, intermediates included. */
export function parseCsi(parameters: string, final: string): readonly MarkBody[] {
  if (final === 'h' || final === 'l') return readModes(parameters, final === 'h')
  const query = readQuery(parameters, final)
  return query === null ? [] : [query]
}

function readModes(parameters: string, on: boolean): readonly MarkBody[] {
  if (!/^\?[\d;]*$/.test(parameters)) return []
  return parameters
    .slice(1)
    .split(';')
    .flatMap((mode): readonly MarkBody[] => {
      const kind = modeKinds.get(Number(mode))
      return kind === undefined ? [] : [{ kind, on }]
    })
}

type ModeKind = 'application-cursor' | 'cursor-visible' | 'alternate-screen' | 'bracketed-paste'

const modeKinds: ReadonlyMap<number, ModeKind> = new Map<number, ModeKind>([
  [1, 'application-cursor'],
  [25, 'cursor-visible'],
  [47, 'alternate-screen'],
  [1047, 'alternate-screen'],
  [1049, 'alternate-screen'],
  [2004, 'bracketed-paste'],
])

function readQuery(parameters: string, final: string): QueryMark | null {
  const simple = simpleQueries.get(parameters + final)
  if (simple !== undefined) return { kind: 'query', parameter: null, ...simple }
  const mode = final === 'p' ? /^(\??)(\d{1,6})\$$/.exec(parameters) : null
  if (mode === null) return null
  return { kind: 'query', name: 'mode', private: mode[1] === '?', parameter: Number(mode[2]) }
}

const simpleQueries: ReadonlyMap<string, Pick<QueryMark, 'name' | 'private'>> = new Map([
  ['c', { name: 'primary-attributes', private: false }],
  ['0c', { name: 'primary-attributes', private: false }],
  ['>c', { name: 'secondary-attributes', private: false }],
  ['>0c', { name: 'secondary-attributes', private: false }],
  ['5n', { name: 'device-status', private: false }],
  ['6n', { name: 'cursor-position', private: false }],
  ['?6n', { name: 'cursor-position', private: true }],
  ['>q', { name: 'version', private: false }],
  ['>0q', { name: 'version', private: false }],
  ['18t', { name: 'size', private: false }],
  ['?u', { name: 'kitty-flags', private: true }],
] as const)
