import type { Section } from '../case.ts'

const full = 'abcdefghijklmnopqrst'
const rows = 'a\r\nb\r\nc\r\nd\r\ne\r\nf'
const text = 'abcdef\r\nghijkl\r\nmnopqr\x1b[2;3H'

const noProtection = 'knows no protected characters'
const noRectangles = 'the emulator has no rectangles'
const noRectanglesTmux = 'has no rectangles'

export const editingSection: Section = {
  title: 'Erasing, inserting and deleting',
  sequences: [
    {
      form: 'CSI n J',
      name: 'ED',
      does: 'erases in the screen',
      cases: [
        { name: '0 erases from the cursor on', bytes: `${text}\x1b[J`, screen: ['abcdef', 'gh|'] },
        {
          name: '1 erases up to the cursor and including it',
          bytes: `${text}\x1b[1J`,
          screen: ['', '  | jkl', 'mnopqr'],
        },
        { name: '2 erases all and leaves the cursor', bytes: `${text}\x1b[2Jx`, screen: ['', '  x|'] },
        { name: '3 leaves what is seen', bytes: `${text}\x1b[3J`, screen: ['abcdef', 'gh|ijkl', 'mnopqr'] },
        { name: 'erases outside the margins too', bytes: `${rows}\x1b[2;3r\x1b[2J`, screen: ['|'] },
        { name: 'colours what it erases', bytes: '\x1b[41m\x1b[2J\x1b[1;3Hx', sgr: '48;5;1' },
      ],
    },
    {
      form: 'CSI n K',
      name: 'EL',
      does: 'erases in the row',
      cases: [
        { name: '0 erases from the cursor on', bytes: 'abcdef\x1b[3G\x1b[K', screen: ['ab|'] },
        { name: '1 erases up to the cursor and including it', bytes: 'abcdef\x1b[3G\x1b[1K', screen: ['  | def'] },
        { name: '2 erases all and leaves the cursor', bytes: 'abcdef\x1b[3G\x1b[2Kx', screen: ['  x|'] },
        {
          name: 'erases the last column when the next character would wrap',
          tmux: 'erases nothing behind the last column',
          ours: { why: 'the emulator erases nothing behind the last column', screen: [full, 'x|'] },
          bytes: `${full}\x1b[Kx`,
          screen: ['abcdefghijklmnopqrs|x'],
        },
        { name: 'colours what it erases', bytes: '\x1b[44m\x1b[K\x1b[1;3Hx', sgr: '48;5;4' },
      ],
    },
    {
      form: 'CSI n X',
      name: 'ECH',
      does: 'erases characters',
      cases: [
        { name: 'leaves what follows in place', bytes: 'abcdef\x1b[2G\x1b[2X', screen: ['a|  def'] },
        { name: 'takes 0 for 1', bytes: 'abc\r\x1b[0X', screen: ['| bc'] },
        { name: 'stops at the edge', bytes: 'abc\r\nd\x1b[1;2H\x1b[99X', screen: ['a|', 'd'] },
      ],
    },
    {
      form: 'CSI n " q, CSI ? n J, CSI ? n K',
      name: 'DECSCA, DECSED, DECSEL',
      does: 'erases what is not protected',
      cases: [
        {
          name: 'DECSED keeps protected characters',
          bytes: 'ab\x1b[1"qcd\x1b[0"qef\x1b[?2Jx',
          screen: ['  cd  x|'],
          tmux: noProtection,
        },
        {
          name: 'DECSEL keeps protected characters',
          bytes: 'ab\x1b[1"qcd\x1b[0"qef\x1b[?2Kx',
          screen: ['  cd  x|'],
          tmux: noProtection,
        },
        { name: 'ED erases protected ones too', bytes: '\x1b[1"qcd\x1b[0"q\x1b[2Jx', screen: ['  x|'] },
      ],
    },
    {
      form: 'CSI n @',
      name: 'ICH',
      does: 'inserts blanks',
      cases: [
        { name: 'moves the rest of the row right', bytes: 'abc\x1b[2G\x1b[2@', screen: ['a|  bc'] },
        { name: 'drops what leaves the row', bytes: `${full}\x1b[1G\x1b[3@x`, screen: ['x|  abcdefghijklmnopq'] },
        {
          name: 'of more than the row leaves it empty',
          tmux: 'ignores a number that is too large',
          bytes: 'abc\r\x1b[99@x',
          screen: ['x|'],
        },
      ],
    },
    {
      form: 'CSI n P',
      name: 'DCH',
      does: 'deletes characters',
      cases: [
        { name: 'moves the rest of the row left', bytes: 'abcdef\x1b[2G\x1b[2P', screen: ['a|def'] },
        { name: 'of more than the row empties its rest', bytes: 'abcdef\x1b[2G\x1b[99P', screen: ['a|'] },
        {
          name: 'deletes the last column when the next character would wrap',
          tmux: 'deletes nothing behind the last column',
          bytes: `${full}\x1b[Px`,
          screen: ['abcdefghijklmnopqrs|x'],
        },
      ],
    },
    {
      form: 'CSI n L',
      name: 'IL',
      does: 'inserts rows',
      cases: [
        {
          name: 'moves the rows below down',
          bytes: `${rows}\x1b[2;1H\x1b[2Lx`,
          screen: ['a', 'x|', '', 'b', 'c', 'd'],
        },
        {
          name: 'goes to the first column',
          bytes: `${rows}\x1b[2;3H\x1b[Lx`,
          screen: ['a', 'x|', 'b', 'c', 'd', 'e'],
          tmux: 'keeps the column',
        },
        {
          name: 'stops at the bottom margin',
          bytes: `${rows}\x1b[2;4r\x1b[3;1H\x1b[Lx`,
          screen: ['a', 'b', 'x|', 'c', 'e', 'f'],
        },
        {
          name: 'does nothing outside the margins',
          tmux: 'works there too',
          bytes: `${rows}\x1b[2;4r\x1b[5;1H\x1b[Lx`,
          screen: ['a', 'b', 'c', 'd', 'x|', 'f'],
        },
      ],
    },
    {
      form: 'CSI n M',
      name: 'DL',
      does: 'deletes rows',
      cases: [
        { name: 'moves the rows below up', bytes: `${rows}\x1b[2;1H\x1b[2Mx`, screen: ['a', 'x|', 'e', 'f'] },
        {
          name: 'goes to the first column',
          bytes: `${rows}\x1b[2;3H\x1b[Mx`,
          screen: ['a', 'x|', 'd', 'e', 'f'],
          tmux: 'keeps the column',
        },
        {
          name: 'stops at the bottom margin',
          bytes: `${rows}\x1b[2;4r\x1b[2;1H\x1b[Mx`,
          screen: ['a', 'x|', 'd', '', 'e', 'f'],
        },
        {
          name: 'does nothing outside the margins',
          tmux: 'works there too',
          bytes: `${rows}\x1b[2;4r\x1b[1;1H\x1b[Mx`,
          screen: ['x|', 'b', 'c', 'd', 'e', 'f'],
        },
      ],
    },
    {
      form: "CSI n ' }, CSI n ' ~",
      name: 'DECIC, DECDC',
      does: 'inserts and deletes columns',
      cases: [
        {
          name: 'DECIC moves the rest of every row right',
          bytes: "abc\r\ndef\x1b[1;2H\x1b[2'}",
          screen: ['a|  bc', 'd  ef'],
          tmux: 'ignores it',
        },
        {
          name: 'DECDC moves the rest of every row left',
          bytes: "abcd\r\nefgh\x1b[1;2H\x1b[2'~",
          screen: ['a|d', 'eh'],
          tmux: 'ignores it',
        },
      ],
    },
    {
      form: 'CSI 4 h',
      name: 'IRM',
      does: 'insert mode: text moves what follows',
      cases: [
        { name: 'text moves what follows', bytes: 'abc\r\x1b[4hxy', screen: ['xy|abc'] },
        { name: 'drops what leaves the row', bytes: `${full}\r\x1b[4hxy`, screen: ['xy|abcdefghijklmnopqr'] },
        { name: 'turned off writes over again', bytes: 'abc\r\x1b[4hx\x1b[4ly', screen: ['xy|bc'] },
      ],
    },
    {
      form: 'CSI … $ z, CSI … $ x, CSI … $ v',
      name: 'DECERA, DECFRA, DECCRA',
      does: 'erases, fills and copies rectangles',
      cases: [
        {
          name: 'DECERA erases a rectangle',
          bytes: 'abc\r\ndef\r\nghi\x1b[1;2;2;3$z',
          screen: ['a', 'd', 'ghi|'],
          ours: { why: noRectangles, screen: ['abc', 'def', 'ghi|'] },
          tmux: noRectanglesTmux,
        },
        {
          name: 'DECFRA fills a rectangle',
          bytes: '\x1b[88;1;2;2;3$x',
          screen: ['| XX', ' XX'],
          ours: { why: noRectangles, screen: ['|'] },
          tmux: noRectanglesTmux,
        },
        {
          name: 'DECCRA copies a rectangle',
          bytes: 'abc\x1b[1;1;1;2;1;3;1;1$v',
          screen: ['abc|', '', 'ab'],
          ours: { why: noRectangles, screen: ['abc|'] },
          tmux: noRectanglesTmux,
        },
      ],
    },
  ],
}
