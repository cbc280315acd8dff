/** History expansion: `!!` and its kin are replaced where the lines before are known. */

export interface ExpandedHistory {
  readonly text: string
  /** It recalls a line of which nothing is known. */
  readonly isUnknown: boolean
}

const event = /^!(!|\$|\*|\^|-?\d+|\?[^?\n]{1,100}\??|[A-Za-z][\w-]{0,50})/

export function expandHistory(text: string, history: readonly string[]): ExpandedHistory {
  if (!text.includes('!')) return { text, isUnknown: false }
  let result = ''
  let isUnknown = false
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const previous = text[at - 1] ?? ''
    // A here-document is read line by line too, but what it holds is data, and its lines are no commands.
    if (character === '\n' && text.includes('<<')) return { text: result + text.slice(at), isUnknown }
    if (character === '\\' && quote !== "'") {
      result += character + (text[++at] ?? '')
      continue
    }
    if ((character === "'" && quote !== '"') || (character === '"' && quote !== "'"))
      quote = quote === '' ? character : ''
    const found =
      character === '!' && quote !== "'" && !/[${[(]/.test(previous) ? event.exec(text.slice(at, at + 120)) : null
    if (found === null || (quote === '"' && !/^!(!|\$|-?\d|[a-z])/.test(found[0]))) {
      result += character
      continue
    }
    const recalled = recall(found[1] ?? '', history)
    if (recalled === null) {
      isUnknown = true
      result += found[0]
    } else result += recalled
    at += found[0].length - 1
  }
  return { text: result, isUnknown }
}

function recall(which: string, history: readonly string[]): string | null {
  const last = history.at(-1)
  if (which === '!') return last ?? null
  if (/^-\d+$/.test(which)) return history.at(Number(which)) ?? null
  const words = last?.trim().split(/\s+/)
  if (which === '$') return words?.at(-1) ?? null
  if (which === '^') return words?.[1] ?? null
  if (which === '*') return words?.slice(1).join(' ') ?? null
  if (/^\d+$/.test(which)) return null
  if (which.startsWith('?')) return history.findLast((line) => line.includes(which.replaceAll('?', ''))) ?? null
  return history.findLast((line) => line.startsWith(which)) ?? null
}
