/** The items in the answer of a step, for a step that is done once for each of them. */

/** The answer as one JSON list, else its lines. Where every line begins with the same kind of list mark, that mark is no part of the item. */
export function itemsOf(answer: string): readonly string[] {
  const text = fenced.exec(answer.trim())?.[1]?.trim() ?? answer.trim()
  const items = listed(text) ?? withoutMarks(text.split('\n').map((line) => line.trim()))
  return items.filter((item) => item !== '')
}

const fenced = /^```[\w-]*\n([\s\S]*)\n```$/

/** Null for what is no JSON list. */
function listed(text: string): readonly string[] | null {
  if (!text.startsWith('[')) return null
  try {
    const parsed: unknown = JSON.parse(text)
    if (!Array.isArray(parsed)) return null
    return parsed.map((item: unknown) => (typeof item === 'string' ? item.trim() : JSON.stringify(item)))
  } catch {
    return null
  }
}

const marks = [/^[-*•]\s+/, /^\d+[.)]\s+/]

function withoutMarks(lines: readonly string[]): readonly string[] {
  const full = lines.filter((line) => line !== '')
  const mark = marks.find((one) => full.every((line) => one.test(line)))
  return mark === undefined ? full : full.map((line) => line.replace(mark, ''))
}
