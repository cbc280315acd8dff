/**
 * The text without comments at its beginning that carry a canary: an identifier by which a leaked task is found in what a model was trained
 * with, and which an agent has no use for.
 */
export function withoutCanary(text: string): string {
  const lines = text.split('\n')
  // Comments end where something else begins; a script's first line is one, too, and stays.
  const other = lines.findIndex((line) => !isComment(line) && line.trim() !== '')
  const end = other < 0 ? lines.length : other
  const head = lines.slice(0, end).filter((line) => !(isComment(line) && /canary/i.test(line)))
  return [...head, ...lines.slice(end)].join('\n')
}

const isComment = (line: string): boolean => /^\s*(?:#|\/\/|<!--|--|;)/.test(line)
