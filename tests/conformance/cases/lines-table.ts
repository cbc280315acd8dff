import type { Section } from '../case.ts'

const full = 'abcdefghijklmnopqrst'

export const linesSection: Section = {
  title: 'Tabs and wrapping',
  sequences: [
    {
      form: 'HT',
      name: 'tab',
      does: 'to the next stop',
      cases: [
        { name: 'stops every eight columns', bytes: 'a\tb\tc', screen: ['a       b       c|'] },
        { name: 'erases nothing', bytes: 'abcdefghij\r\tx', screen: ['abcdefghx|j'] },
        { name: 'stops at the last column', bytes: '\t\t\t\tx', screen: [`${' '.repeat(19)}|x`] },
        { name: 'does not end the waiting of a full row', bytes: `${full}\tx`, screen: [full, 'x|'] },
      ],
    },
    {
      form: 'ESC H',
      name: 'HTS',
      does: 'sets a stop',
      cases: [{ name: 'adds one at the cursor', bytes: '\x1b[4G\x1bH\r\tx\ty', screen: ['   x    y|'] }],
    },
    {
      form: 'CSI n g',
      name: 'TBC',
      does: 'clears stops',
      cases: [
        { name: '0 clears the one at the cursor', bytes: '\t\x1b[g\r\tx', screen: ['                x|'] },
        { name: '3 clears all', bytes: '\x1b[3g\r\tx', screen: [`${' '.repeat(19)}|x`] },
      ],
    },
    {
      form: 'CSI n I',
      name: 'CHT',
      does: 'forward by stops',
      cases: [
        { name: 'moves by as many as it says', tmux: 'ignores it', bytes: '\x1b[2Ix', screen: ['                x|'] },
        { name: 'stops at the last column', tmux: 'ignores it', bytes: '\x1b[9Ix', screen: [`${' '.repeat(19)}|x`] },
      ],
    },
    {
      form: 'CSI n Z',
      name: 'CBT',
      does: 'back by stops',
      cases: [
        { name: 'moves to the stop before', bytes: '\x1b[12G\x1b[Zx', screen: ['        x|'] },
        { name: 'at a stop moves to the one before', bytes: '\x1b[9G\x1b[Zx', screen: ['x|'] },
        { name: 'stops at the first column', bytes: '\x1b[12G\x1b[9Zx', screen: ['x|'] },
      ],
    },
    {
      form: 'CSI ? 5 W',
      name: 'DECST8C',
      does: 'sets a stop every eight columns',
      cases: [
        {
          name: 'brings the stops back',
          bytes: '\x1b[3g\x1b[?5W\r\tx',
          screen: ['        x|'],
          ours: { why: 'the emulator ignores it', screen: [`${' '.repeat(19)}|x`] },
          tmux: 'ignores it',
        },
      ],
    },
    {
      form: 'CSI ? 7 h',
      name: 'DECAWM',
      does: 'wraps text at the last column',
      cases: [
        { name: 'text goes on in the next row', bytes: `${full}uv`, screen: [full, 'uv|'] },
        { name: 'a full row waits for the next character', bytes: full, screen: [full.replace('t', '|t')] },
        { name: 'a full row and a line break make no empty row', bytes: `${full}\r\nx`, screen: [full, 'x|'] },
        {
          name: 'a movement of the cursor ends the waiting',
          bytes: `${full}\x1b[1;20Hx`,
          screen: [full.replace('t', '|x')],
        },
        { name: 'scrolls at the last row', bytes: `a\x1b[6;1H${full}u`, screen: ['', '', '', '', full, 'u|'] },
        {
          name: 'turned off writes over the last column',
          bytes: `\x1b[?7l${full}uv`,
          screen: [full.replace('t', '|v')],
        },
        { name: 'a style in between does not end the waiting', bytes: `${full}\x1b[1mu`, screen: [full, 'u|'] },
      ],
    },
    {
      form: 'CSI ? 45 h',
      name: 'reverse wrap',
      does: 'backspace goes back to the row above',
      cases: [
        {
          name: 'BS at the first column goes to the end of the row that was wrapped',
          bytes: `\x1b[?45h${full}u\b\bx`,
          screen: [full.replace('t', '|x'), 'u'],
        },
        {
          name: 'off, BS stays in the row',
          bytes: `${full}u\b\bx`,
          screen: [full, 'x|'],
          tmux: 'goes back without being asked',
        },
      ],
    },
    {
      form: 'CSI n b',
      name: 'REP',
      does: 'repeats the last character',
      cases: [
        { name: 'writes it as often as it says', bytes: 'ab\x1b[3b', screen: ['abbbb|'] },
        {
          name: 'wraps at the last column',
          tmux: 'stops at the last column',
          bytes: 'x\x1b[21b',
          screen: ['x'.repeat(20), 'xx|'],
        },
        {
          name: 'repeats a character of two columns',
          tmux: 'repeats ASCII only',
          bytes: '漢\x1b[2b',
          screen: ['漢漢漢|'],
        },
        {
          name: 'repeats the one that filled the row',
          tmux: 'stops at the last column',
          bytes: `${full}\x1b[2b`,
          screen: [full, 'tt|'],
        },
        { name: 'repeats one of the line drawing set', bytes: '\x1b(0q\x1b[2b', screen: ['───|'] },
      ],
    },
    {
      form: 'CSI 20 h',
      name: 'LNM',
      does: 'a line feed also returns',
      cases: [
        { name: 'LF goes to the first column', bytes: 'ab\x1b[20h\nx', screen: ['ab', 'x|'], tmux: 'ignores it' },
        { name: 'turned off LF keeps the column', bytes: '\x1b[20hab\x1b[20l\nx', screen: ['ab', '  x|'] },
      ],
    },
  ],
}
