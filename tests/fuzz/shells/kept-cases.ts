/** Cases that once ran a refused command: the fewest steps of each finding without a row in `tests/attack/what-runs.test.ts`. */

import type { Case, Step } from './case.ts'

const waitMs = 400
const write = (text: string): Step => ({ write: text, waitMs })
const send = (text: string): Step => ({ send: text, newline: true, waitMs })
const half = (text: string): Step => ({ send: text, newline: false, waitMs })
const press = (...keys: string[]): Step => ({ keys, waitMs })

export const keptCases: readonly (Case & { readonly title: string })[] = [
  {
    title: 'the mark of a paste takes the characters behind it',
    shell: 'busybox',
    seed: 83,
    steps: [write('\x1b[200~s1 kaaaa\n# rm -r V\ns1 kbbbb\x1b[201~')],
  },
  {
    title: 'the mark of a paste takes a word before a block',
    shell: 'busybox',
    seed: 63,
    steps: [write('\x1b[200~function f { rm -r V; }\nf\x1b[201~')],
  },
  {
    title: 'a function is defined behind a line that the shell refuses',
    shell: 'zsh',
    seed: 27,
    steps: [write('cat <<E ;; s1 kaaaa\rrm -r V\rE\r'), ...['f() {', 'rm -r V', '}', 'f'].map(send)],
  },
  {
    title: 'a function behind a # that is no comment',
    shell: 'zsh',
    seed: 700053,
    steps: [write('\x1b[200~# f() {\nrm -r V\n}\nf\x1b[201~'), press('ctrl+e', 'enter')],
  },
  {
    title: 'a pushed line stands before the next command',
    shell: 'zsh',
    seed: 300449,
    steps: [
      press('ctrl+r', '"', 'alt+enter', '$'),
      press('alt+.', 'alt+t', 'alt+q'),
      press('enter'),
      send('echo rm -r V'),
    ],
  },
  {
    title: 'words of an earlier line',
    shell: 'bash',
    seed: 830629,
    steps: [send('echo rm -r V'), write('true\r!-2:1-3\r'), write('!!:1-3\r')],
  },
  {
    title: 'words of an earlier line',
    shell: 'zsh',
    seed: 820227,
    steps: [send('echo rm -r V'), write('true\r!-2:1-3\r'), write('!!:1-3\r')],
  },
  {
    title: 'the command line itself, inside quotes',
    shell: 'zsh',
    seed: 820817,
    steps: [half(`echo 's1; rm -r V'"`), press('enter'), write('!#\r')],
  },
  {
    title: 'a line that is recalled behind a quote',
    shell: 'zsh',
    seed: 820837,
    steps: [send('true s1 #'), write("!!'!!\rs1  ( ||  ' && \r"), write('s1 &&\rrm -r V\r')],
  },
  {
    title: 'a function without a name behind an Enter that is not answered',
    shell: 'zsh',
    seed: 820645,
    steps: [{ keys: ['u', 'alt+enter', 'ctrl+a', 'ctrl+c', 'alt+2', 'enter'], waitMs: 0 }, write('() { rm -r V }\r')],
  },
  {
    title: 'a # behind a pipe is no comment',
    shell: 'zsh',
    seed: 910267,
    steps: [half('rm -r V \u{1f600}'), send("'; "), send("if true; then $' |  #")],
  },
  {
    title: 'a key that quotes the mark of a paste',
    shell: 'zsh',
    seed: 910210,
    steps: [
      { keys: ['.', 'ctrl+f', 'ctrl+c', 'ctrl+u', 'ctrl+v'], waitMs: 0 },
      { keys: ['alt+#', 'enter'], waitMs: 0 },
      write('\x1b[200~if false; then\nrm -r V\nfi\x1b[201~'),
      press('enter'),
    ],
  },
  {
    title: 'a key that quotes the mark of a paste',
    shell: 'bash',
    seed: 0,
    steps: [press('ctrl+v'), write('\x1b[200~if false; then\nrm -r V\nfi\x1b[201~'), press('enter')],
  },
  {
    title: 'the second line of a text whose first line fish refuses',
    shell: 'fish',
    seed: 0,
    steps: [send('cat <<E\nrm -r V\nE')],
  },
  {
    title: 'the rest of a line that only fish knew',
    shell: 'fish',
    seed: 0,
    steps: [half('rm -r V \u{1f600}'), press('backspace', 'backspace'), send('"a'), send('"')],
  },
  {
    title: 'a backslash before the cursor, and text behind it',
    shell: 'fish',
    seed: 980144,
    steps: [half('#\u{1f600}rm -r V'), press('ctrl+a'), half('; rm -r V'), send(" | true '"), send("'`\\")],
  },
  {
    title: 'ctrl+d ends nothing where a line continues',
    shell: 'fish',
    seed: 0,
    steps: [half('\x1b[200~true &&\nrm -r V\x1b[201~'), send(' \\'), press('ctrl+d'), send('x')],
  },
  {
    title: 'ctrl+c ends something else than the line',
    shell: 'fish',
    seed: 0,
    steps: [half('rm -r V \u{1f600}'), press('ctrl+w', 'ctrl+c'), send('"a'), send('"')],
  },
]
