/**
 * What may still become a match of a pattern: each beginning of one, at the end of a text. Every part of the pattern may be left
 * out where the text ends: `ab{2}` becomes `(?:a|$)(?:b|$){2}`.
 *
 * It knows the syntax that the table of shapes uses: characters, classes, groups, alternatives, quantifiers, `^`, `\b`, lookaheads.
 */

/** Matches at the end of a text, whole matches of `pattern` too. */
export function partialOf({ source, ignoreCase }: RegExp): RegExp {
  // What must follow a match at its end has to follow here as well, as far as the text goes.
  const parts = source
    .replace(trailingLookahead, '(?:$1)')
    .replaceAll(part, (whole, atom: string | undefined, quantifier = '') =>
      atom === undefined ? whole : `(?:${atom}|$)${quantifier}`,
    )
  return new RegExp(`(?:${parts})$`, ignoreCase ? 'i' : '')
}

const characterClass = String.raw`\[(?:\\.|[^\]\\])*\]`
const trailingLookahead = new RegExp(String.raw`\(\?=((?:${characterClass}|[^()[])*)\)$`)
/** What must not follow does not follow where the text ends. */
const negativeLookahead = String.raw`\(\?!(?:${characterClass}|[^()[])*\)`
const quantifier = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})`
/** What has no text of its own stays; a group without text consists of parts without text. */
const structure = String.raw`${negativeLookahead}|\((?:\?(?:[:=]|<\w+>))?|\)${quantifier}?|[|^$]`
const part = new RegExp(String.raw`${structure}|(\\b|${characterClass}|\\.|.)(${quantifier})?`, 'g')
