/** The keys of a person who watches a recording. */

export type PlayKey = 'leave' | 'pause' | 'back' | 'forward' | 'next' | 'previous' | 'faster' | 'slower'

const keys: Readonly<Record<string, PlayKey>> = {
  q: 'leave',
  '\x03': 'leave',
  '\x1b': 'leave',
  ' ': 'pause',
  '\x1b[D': 'back',
  '\x1bOD': 'back',
  h: 'back',
  '\x1b[C': 'forward',
  '\x1bOC': 'forward',
  l: 'forward',
  n: 'next',
  p: 'previous',
  '+': 'faster',
  '=': 'faster',
  '-': 'slower',
}

/** What comes in one piece may be several keys; those that do nothing here are left out. */
export function playKeys(typed: string): readonly PlayKey[] {
  return (typed.match(/\x1b[[O][A-D]|./gs) ?? []).flatMap((key) => keys[key] ?? [])
}
