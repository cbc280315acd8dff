/** What a DCS says, which is a question or nothing: `DCS $ q Pt ST` (DECRQSS) asks what a setting is. */

import type { MarkBody } from './mark.ts'

/** @param payload - What stood between `ESC P` and its end. */
export function parseDcs(payload: string): readonly MarkBody[] {
  if (!payload.startsWith('$q')) return []
  return [{ kind: 'query', name: 'setting', private: false, parameter: null }]
}
