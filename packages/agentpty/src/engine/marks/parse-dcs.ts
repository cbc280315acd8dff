/** What a DCS says, which is a question or nothing: `DCS $ q Pt ST` (DECRQSS) asks what a setting is. */

import type { MarkBody } from './mark.ts'

const question = '$q'

/** Whether a payload whose byte this is can still be a question, so that pictures need not be kept. */
export function isDcsQuestionByte(value: number, index: number): boolean {
  return index >= question.length || value === question.charCodeAt(index)
}

/** @param payload - What stood between `ESC P` and its end. */
export function parseDcs(payload: string): readonly MarkBody[] {
  if (!payload.startsWith(question)) return []
  return [{ kind: 'query', name: 'setting', private: false, parameter: null }]
}
