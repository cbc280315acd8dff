/**
 * The text without comments at its beginning that carry a canary: an identifier by which a leaked task is found in what a model was trained
 * with, and which an agent has no use for.
 */
export function withoutCanary(text: string): string {
  const lines = text.split('\n')
  // Comments end where something else begins; a script's first line is one, too, and stays.
  const end = lines.findIndex((line) => !isComment(line) && line.trim() !== '')
  const head = lines.slice(0, Math.max(0, end)).filter((line) => !(isComment(line) && /canary/i.test(line)))
  return [...head, ...lines.slice(Math.max(0, end))].join('\n')
}

const isComment = (line: string): boolean => /^\s*(?:#|\/\/|<!--|--|;)/.test(line)
