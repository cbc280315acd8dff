/** The keys of a person who watches a recording. */

export type PlayKey =
  | 'leave'
  | 'pause'
  | 'back'
  | 'forward'
  | 'begin'
  | 'end'
  | 'next'
  | 'previous'
  | 'faster'
  | 'slower'

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
  // Terminals differ in what these two send.
  '\x1b[H': 'begin',
  '\x1bOH': 'begin',
  '\x1b[1~': 'begin',
  '\x1b[7~': 'begin',
  '\x1b[F': 'end',
  '\x1bOF': 'end',
  '\x1b[4~': 'end',
  '\x1b[8~': 'end',
  n: 'next',
  p: 'previous',
  '+': 'faster',
  '=': 'faster',
  '-': 'slower',
}

/** What comes in one piece may be several keys; those that do nothing here are left out. */
export function playKeys(typed: string): readonly PlayKey[] {
  return (typed.match(/\x1b\[[\d;]*[A-Za-z~]|\x1bO[A-Z]|./gs) ?? []).flatMap((key) => keys[key] ?? [])
}
