import type { Section } from '../case.ts'

const rows = 'a\r\nb\r\nc\r\nd\r\ne\r\nf'

const noSides = 'the emulator has no left and right margins'
const noSidesTmux = 'has no left and right margins'

export const scrollingSection: Section = {
  title: 'Margins and scrolling',
  sequences: [
    {
      form: 'CSI top ; bottom r',
      name: 'DECSTBM',
      does: 'sets the rows that scroll',
      cases: [
        { name: 'sends the cursor home', bytes: 'ab\r\ncd\x1b[2;4rx', screen: ['x|b', 'cd'] },
        {
          name: 'scrolls only the rows inside',
          bytes: `${rows}\x1b[2;4r\x1b[4;1H\nx`,
          screen: ['a', 'c', 'd', 'x|', 'e', 'f'],
        },
        {
          name: 'leaves the last row in place when the cursor is below the region',
          bytes: `${rows}\x1b[2;4r\x1b[6;1H\nx`,
          screen: ['a', 'b', 'c', 'd', 'e', 'x|'],
        },
        { name: 'ignores a region of one row', bytes: `${rows}\x1b[3;3r\nx`, screen: ['b', 'c', 'd', 'e', 'f', ' x|'] },
        {
          name: 'ignores a region whose top is below its bottom',
          bytes: `${rows}\x1b[4;2r\nx`,
          screen: ['b', 'c', 'd', 'e', 'f', ' x|'],
        },
        {
          name: 'takes the screen for a bottom that is too large',
          bytes: `${rows}\x1b[2;99r\x1b[6;1H\nx`,
          screen: ['a', 'c', 'd', 'e', 'f', 'x|'],
        },
        {
          name: 'without numbers is the whole screen',
          bytes: `${rows}\x1b[2;4r\x1b[r\x1b[6;1H\nx`,
          screen: ['b', 'c', 'd', 'e', 'f', 'x|'],
        },
        {
          name: 'a long line wraps inside',
          bytes: `${rows}\x1b[2;4r\x1b[4;1Habcdefghijklmnopqrstuv`,
          screen: ['a', 'c', 'abcdefghijklmnopqrst', 'uv|', 'e', 'f'],
        },
      ],
    },
    {
      form: 'ESC D',
      name: 'IND',
      does: 'down, scrolling at the bottom margin',
      cases: [
        { name: 'keeps the column', bytes: 'ab\x1bDx', screen: ['ab', '  x|'] },
        {
          name: 'scrolls at the bottom margin',
          bytes: `${rows}\x1b[2;4r\x1b[4;1H\x1bDx`,
          screen: ['a', 'c', 'd', 'x|', 'e', 'f'],
        },
        { name: 'scrolls at the last row', bytes: `${rows}\x1bDx`, screen: ['b', 'c', 'd', 'e', 'f', ' x|'] },
      ],
    },
    {
      form: 'ESC M',
      name: 'RI',
      does: 'up, scrolling at the top margin',
      cases: [
        { name: 'keeps the column', bytes: 'a\r\nbc\x1bMx', screen: ['a x|', 'bc'] },
        {
          name: 'scrolls down at the first row',
          bytes: `${rows}\x1b[H\x1bMx`,
          screen: ['x|', 'a', 'b', 'c', 'd', 'e'],
        },
        {
          name: 'scrolls down at the top margin',
          bytes: `${rows}\x1b[2;4r\x1b[2;1H\x1bMx`,
          screen: ['a', 'x|', 'b', 'c', 'e', 'f'],
        },
        {
          name: 'does not scroll at the first row above the region',
          bytes: `${rows}\x1b[2;4r\x1b[1;1H\x1bMx`,
          screen: ['x|', 'b', 'c', 'd', 'e', 'f'],
        },
      ],
    },
    {
      form: 'ESC E',
      name: 'NEL',
      does: 'to the start of the next row, scrolling at the bottom margin',
      cases: [
        { name: 'goes to the first column', bytes: 'ab\x1bEx', screen: ['ab', 'x|'] },
        { name: 'scrolls at the last row', bytes: `${rows}\x1bEx`, screen: ['b', 'c', 'd', 'e', 'f', 'x|'] },
      ],
    },
    {
      form: 'CSI n S',
      name: 'SU',
      does: 'scrolls up',
      cases: [
        { name: 'leaves the cursor where it is', bytes: `${rows}\x1b[2;3H\x1b[2Sx`, screen: ['c', 'd x|', 'e', 'f'] },
        {
          name: 'scrolls only inside the margins',
          bytes: `${rows}\x1b[2;4r\x1b[Sx`,
          screen: ['x|', 'c', 'd', '', 'e', 'f'],
        },
        { name: 'by more than there are rows leaves them empty', bytes: `${rows}\x1b[H\x1b[99Sx`, screen: ['x|'] },
      ],
    },
    {
      form: 'CSI n T',
      name: 'SD',
      does: 'scrolls down',
      cases: [
        {
          name: 'leaves the cursor where it is',
          bytes: `${rows}\x1b[3;3H\x1b[2Tx`,
          screen: ['', '', 'a x|', 'b', 'c', 'd'],
        },
        {
          name: 'scrolls only inside the margins',
          bytes: `${rows}\x1b[2;4r\x1b[Tx`,
          screen: ['x|', '', 'b', 'c', 'e', 'f'],
        },
      ],
    },
    {
      form: 'CSI n SP @',
      name: 'SL',
      does: 'scrolls to the left',
      cases: [
        {
          name: 'moves every row',
          bytes: 'abcd\r\nefgh\x1b[2 @x',
          screen: ['cd', 'gh  x|'],
          tmux: 'does not scroll sideways',
        },
      ],
    },
    {
      form: 'CSI n SP A',
      name: 'SR',
      does: 'scrolls to the right',
      cases: [
        {
          name: 'moves every row',
          bytes: 'ab\r\ncd\r\x1b[2 Ax',
          screen: ['  ab', 'x| cd'],
          tmux: 'does not scroll sideways',
        },
      ],
    },
    {
      form: 'CSI ? 6 h',
      name: 'DECOM',
      does: 'origin mode: rows count from the top margin, and the cursor stays inside',
      cases: [
        { name: 'sends the cursor to the top margin', bytes: 'a\x1b[3;5r\x1b[?6hx', screen: ['a', '', 'x|'] },
        { name: 'counts rows from the top margin', bytes: '\x1b[3;5r\x1b[?6h\x1b[2;2Hx', screen: ['', '', '', ' x|'] },
        { name: 'stops at the bottom margin', bytes: '\x1b[3;5r\x1b[?6h\x1b[99;1Hx', screen: ['', '', '', '', 'x|'] },
        { name: 'VPA counts from the top margin', bytes: '\x1b[3;5r\x1b[?6h\x1b[2dx', screen: ['', '', '', 'x|'] },
        {
          name: 'CUD moves by as many rows as it says',
          ours: { why: 'the emulator adds the top margin once more', screen: ['', '', '', 'x|'] },
          bytes: '\x1b[2;5r\x1b[?6h\x1b[Bx',
          screen: ['', '', 'x|'],
        },
        {
          name: 'CUU moves by as many rows as it says',
          ours: { why: 'the emulator adds the top margin once more', screen: ['', '', '', '', 'x|'] },
          bytes: '\x1b[2;6r\x1b[?6h\x1b[4;1H\x1b[Ax',
          screen: ['', '', '', 'x|'],
        },
        {
          name: 'CUF stays on the row',
          ours: { why: 'the emulator adds the top margin once more', screen: ['', '', '  x|'] },
          bytes: '\x1b[2;5r\x1b[?6h\x1b[2Cx',
          screen: ['', '  x|'],
        },
        {
          name: 'CUB stays on the row',
          ours: { why: 'the emulator adds the top margin once more', screen: ['', 'abc', ' x|'] },
          bytes: '\x1b[2;5r\x1b[?6habc\x1b[2Dx',
          screen: ['', 'ax|c'],
        },
        {
          name: 'the report of the cursor counts from the top margin',
          tmux: 'counts from the first row',
          ours: { why: 'the emulator counts from the first row', replies: '\x1b[4;2R' },
          bytes: '\x1b[3;5r\x1b[?6h\x1b[2;2H\x1b[6n',
          replies: '\x1b[2;2R',
        },
        { name: 'turned off sends the cursor home', bytes: '\x1b[3;5r\x1b[?6h\x1b[?6lx', screen: ['x|'] },
      ],
    },
    {
      form: 'CSI ? 69 h, CSI left ; right s',
      name: 'DECLRMM, DECSLRM',
      does: 'left and right margins',
      cases: [
        {
          name: 'text wraps between them',
          bytes: '\x1b[?69h\x1b[5;10s\x1b[1;5Habcdefghij',
          screen: ['    abcdef', '    ghij|'],
          ours: { why: noSides, screen: ['    abcdefghij|'] },
          tmux: noSidesTmux,
        },
        {
          name: 'CR goes to the left one',
          bytes: '\x1b[?69h\x1b[5;10s\x1b[1;7Ha\rx',
          screen: ['    x| a'],
          ours: { why: noSides, screen: ['x|     a'] },
          tmux: noSidesTmux,
        },
      ],
    },
    {
      form: 'ESC 6, ESC 9',
      name: 'DECBI, DECFI',
      does: 'one column back or forward, scrolling sideways at the edge',
      cases: [
        {
          name: 'DECBI at the first column moves the rows right',
          bytes: 'ab\r\x1b6x',
          screen: ['x|ab'],
          ours: { why: 'the emulator ignores it', screen: ['x|b'] },
          tmux: 'ignores it',
        },
        {
          name: 'DECFI inside moves the cursor right',
          bytes: 'ab\r\x1b9x',
          screen: ['ax|'],
          ours: { why: 'the emulator ignores it', screen: ['x|b'] },
          tmux: 'ignores it',
        },
      ],
    },
  ],
}
