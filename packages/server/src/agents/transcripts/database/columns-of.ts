/**
 * The names of the columns of a table, in their order, by the statement that has made it.
 *
 * @example columnsOf('CREATE TABLE `a` (`id` text PRIMARY KEY, size real DEFAULT (1, 2), UNIQUE (id))') // ['id', 'size']
 */
export function columnsOf(statement: string): readonly string[] {
  const from = statement.indexOf('(')
  const until = statement.lastIndexOf(')')
  if (from < 0 || until < from) return []
  const parts = partsOf(statement.slice(from + 1, until)).map((part) => part.trim())
  return parts.filter((part) => !constraint.test(part)).map((part) => (/^["`[]?([^"`\]\s]+)/.exec(part) ?? [])[1] ?? '')
}

const constraint = /^(?:CONSTRAINT|PRIMARY|FOREIGN|UNIQUE|CHECK)\b/i

/** Between commas that are in no brackets and in no quotes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let [part, depth, quote] = ['', 0, '']
  for (const sign of text) {
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'" || sign === '`') quote = sign
    else if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0 && quote === '') {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return [...parts, part]
}
