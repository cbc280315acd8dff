/** Cases that once ran what was not allowed: the fewest steps of each finding that `tests/attack/what-runs.test.ts` has no row for. */

import type { Case, Step } from './case.ts'

const waitMs = 400
const write = (text: string): Step => ({ write: text, waitMs })
const send = (text: string): Step => ({ send: text, newline: true, waitMs })

export const keptCases: readonly (Case & { readonly title: string })[] = [
  {
    ...{ title: 'the mark of a paste takes the characters behind it', shell: 'busybox', seed: 83 },
    steps: [write('\x1b[200~s1 kaaaa\n# rm -r V\ns1 kbbbb\x1b[201~')],
  },
  {
    ...{ title: 'the mark of a paste takes a word before a block', shell: 'busybox', seed: 63 },
    steps: [write('\x1b[200~function f { rm -r V; }\nf\x1b[201~')],
  },
  {
    ...{ title: 'a function is defined behind a line that the shell refuses', shell: 'zsh', seed: 27 },
    steps: [write('cat <<E ;; s1 kaaaa\rrm -r V\rE\r'), ...['f() {', 'rm -r V', '}', 'f'].map(send)],
  },
]
