/** The text of an approval: it moves no cursor, changes no writing direction, and imitates no other characters. */

import assert from 'node:assert/strict'
import { shownText } from '@agentpty/protocol/approvals'
import type { Target } from '../target.ts'

/** Controls except line feeds, formats, unassigned, private use, combining marks, and unusual blanks. */
const misleading = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{M}\p{Zl}\p{Zp}]/u
const otherBlanks = /[^\S \n]/u

export const approvalText: Target = {
  name: 'approval-text',
  covers: ['protocol/src/approvals.ts'],
  words: [
    'rm -rf ',
    '\u202e',
    '\u200b',
    '\u0441',
    '\x1b[2K',
    '\r',
    '\n',
    '\u0336',
    '\u00a0',
    '⟨U+0041⟩',
    '\u{e0041}',
    '\ud800',
    '\u2028',
    '\u3164',
  ],
  bytesMax: 400,
  check(input) {
    const [first = 0] = input
    const text = Buffer.from(input.subarray(1)).toString('utf8')
    const max = 10 + first
    const shown = shownText(text, max)
    assert.ok(!misleading.test(shown.replaceAll('\n', '')), JSON.stringify(shown))
    assert.ok(!otherBlanks.test(shown), JSON.stringify(shown))
    assert.ok(shown.length <= 10 * max + 60, `${shown.length} characters of at most ${max}`)
    // Statements about letters are agentpty's own text.
    for (const [, code = ''] of shown.matchAll(/⟨(U\+[0-9A-F]+|\d+ characters more)⟩/g))
      assert.match(code, /^(U\+[0-9A-F]{4,6}|\d+ characters more)$/)
    assert.equal(
      (shown.match(/⟨/g) ?? []).length,
      (shown.match(/⟨(?:U\+[0-9A-F]{4,6}|\d+ characters more)⟩/g) ?? []).length,
    )
  },
}
