import type { Section } from '../case.ts'

const right = ' '.repeat(19)
const full = 'abcdefghijklmnopqrst'

export const cursorSection: Section = {
  title: 'Moving the cursor',
  sequences: [
    {
      form: 'CSI n A',
      name: 'CUU',
      does: 'up',
      cases: [
        { name: 'keeps the column', bytes: 'a\r\nbc\x1b[Ax', screen: ['a x|', 'bc'] },
        { name: 'takes 0 for 1', bytes: '\x1b[4;3H\x1b[0Ax', screen: ['', '', '  x|'] },
        { name: 'stops at the first row', bytes: '\x1b[3;3H\x1b[99Ax', screen: ['  x|'] },
        { name: 'stops at the top margin', bytes: '\x1b[2;5r\x1b[4;1H\x1b[99Ax', screen: ['', 'x|'] },
        { name: 'above the top margin goes on to the first row', bytes: '\x1b[3;5r\x1b[2;1H\x1b[99Ax', screen: ['x|'] },
      ],
    },
    {
      form: 'CSI n B',
      name: 'CUD',
      does: 'down',
      cases: [
        { name: 'keeps the column', bytes: 'ab\x1b[Bx', screen: ['ab', '  x|'] },
        { name: 'stops at the last row without scrolling', bytes: 'a\x1b[99Bx', screen: ['a', '', '', '', '', ' x|'] },
        { name: 'stops at the bottom margin', bytes: '\x1b[2;4r\x1b[2;1H\x1b[99Bx', screen: ['', '', '', 'x|'] },
        {
          name: 'below the bottom margin goes on to the last row',
          bytes: '\x1b[2;4r\x1b[5;1H\x1b[99Bx',
          screen: ['', '', '', '', '', 'x|'],
        },
      ],
    },
    {
      form: 'CSI n C',
      name: 'CUF',
      does: 'right',
      cases: [
        { name: 'passes over text without erasing it', bytes: 'abc\r\x1b[2Cx', screen: ['abx|'] },
        { name: 'stops at the last column', bytes: '\x1b[99Cx', screen: [`${right}|x`] },
        { name: 'does not wrap', bytes: `${full}\x1b[C\x1b[Cx`, screen: ['abcdefghijklmnopqrs|x'] },
      ],
    },
    {
      form: 'CSI n D',
      name: 'CUB',
      does: 'left',
      cases: [
        { name: 'moves onto what was written', bytes: 'abc\x1b[2Dx', screen: ['ax|c'] },
        { name: 'stops at the first column', bytes: 'abc\r\n\x1b[99Dx', screen: ['abc', 'x|'] },
        {
          name: 'counts from the last column when the next character would wrap',
          tmux: 'counts from behind the last column',
          bytes: `${full}\x1b[Dx`,
          screen: ['abcdefghijklmnopqrx|t'],
        },
      ],
    },
    {
      form: 'CSI n E',
      name: 'CNL',
      does: 'to the start of the n-th next row',
      cases: [
        { name: 'goes to the first column', bytes: 'ab\x1b[2Ex', screen: ['ab', '', 'x|'] },
        { name: 'stops at the last row', bytes: 'ab\x1b[99Ex', screen: ['ab', '', '', '', '', 'x|'] },
      ],
    },
    {
      form: 'CSI n F',
      name: 'CPL',
      does: 'to the start of the n-th row above',
      cases: [
        { name: 'goes to the first column', bytes: '\x1b[3;5H\x1b[Fx', screen: ['', 'x|'] },
        { name: 'stops at the first row', bytes: '\x1b[3;5H\x1b[99Fx', screen: ['x|'] },
      ],
    },
    {
      form: 'CSI n G',
      name: 'CHA',
      does: 'to a column',
      cases: [
        { name: 'counts columns from 1', bytes: 'abcdef\x1b[3Gx', screen: ['abx|def'] },
        { name: 'without a number goes to the first', bytes: 'abc\x1b[Gx', screen: ['x|bc'] },
        { name: 'stops at the last column', bytes: '\x1b[99Gx', screen: [`${right}|x`] },
      ],
    },
    {
      form: 'CSI n `',
      name: 'HPA',
      does: 'to a column',
      cases: [
        { name: 'counts columns from 1', bytes: 'abcdef\x1b[3`x', screen: ['abx|def'] },
        { name: 'stops at the last column', bytes: '\x1b[99`x', screen: [`${right}|x`] },
      ],
    },
    {
      form: 'CSI n a',
      name: 'HPR',
      does: 'right',
      cases: [
        { name: 'moves by columns', tmux: 'ignores it', bytes: 'a\x1b[3ax', screen: ['a   x|'] },
        { name: 'stops at the last column', tmux: 'ignores it', bytes: '\x1b[99ax', screen: [`${right}|x`] },
      ],
    },
    {
      form: 'CSI n d',
      name: 'VPA',
      does: 'to a row',
      cases: [
        { name: 'keeps the column', bytes: 'ab\x1b[3dx', screen: ['ab', '', '  x|'] },
        { name: 'stops at the last row', bytes: 'ab\x1b[99dx', screen: ['ab', '', '', '', '', '  x|'] },
      ],
    },
    {
      form: 'CSI n e',
      name: 'VPR',
      does: 'down',
      cases: [
        { name: 'keeps the column', tmux: 'ignores it', bytes: 'ab\x1b[2ex', screen: ['ab', '', '  x|'] },
        {
          name: 'stops at the last row',
          tmux: 'ignores it',
          bytes: 'a\x1b[99ex',
          screen: ['a', '', '', '', '', ' x|'],
        },
      ],
    },
    {
      form: 'CSI row ; col H',
      name: 'CUP',
      does: 'to a row and column',
      cases: [
        { name: 'counts rows and columns from 1', bytes: '\x1b[2;3Hx', screen: ['', '  x|'] },
        { name: 'without numbers goes home', bytes: 'ab\x1b[Hx', screen: ['x|b'] },
        { name: 'takes 0 for 1', bytes: 'ab\x1b[0;0Hx', screen: ['x|b'] },
        { name: 'without a column goes to the first', bytes: '\x1b[3Hx', screen: ['', '', 'x|'] },
        { name: 'without a row goes to the first', bytes: '\x1b[3;3H\x1b[;5Hx', screen: ['    x|'] },
        { name: 'stops at the last row and column', bytes: '\x1b[99;99Hx', screen: ['', '', '', '', '', `${right}|x`] },
        { name: 'leaves margins alone outside origin mode', bytes: '\x1b[3;4r\x1b[1;1Hx', screen: ['x|'] },
      ],
    },
    {
      form: 'CSI row ; col f',
      name: 'HVP',
      does: 'to a row and column',
      cases: [
        { name: 'counts rows and columns from 1', bytes: '\x1b[2;3fx', screen: ['', '  x|'] },
        { name: 'stops at the last row and column', bytes: '\x1b[99;99fx', screen: ['', '', '', '', '', `${right}|x`] },
      ],
    },
    {
      form: 'BS',
      name: 'backspace',
      does: 'one left',
      cases: [
        { name: 'erases nothing', bytes: 'abc\b\bx', screen: ['ax|c'] },
        { name: 'stops at the first column', bytes: 'a\r\n\b\bx', screen: ['a', 'x|'] },
        {
          name: 'counts from the last column when the next character would wrap',
          tmux: 'counts from behind the last column',
          bytes: `${full}\bx`,
          screen: ['abcdefghijklmnopqrx|t'],
        },
      ],
    },
    {
      form: 'CR',
      name: 'carriage return',
      does: 'to the first column',
      cases: [
        { name: 'lets text be written over', bytes: '10%\r99', screen: ['99|%'] },
        { name: 'stays on a row that waits to wrap', bytes: `${full}\rx`, screen: ['x|bcdefghijklmnopqrst'] },
      ],
    },
    {
      form: 'LF',
      name: 'line feed',
      does: 'down, scrolling at the bottom',
      cases: [
        { name: 'keeps the column', bytes: 'ab\nx', screen: ['ab', '  x|'] },
        { name: 'scrolls at the last row', bytes: 'a\r\nb\x1b[6;1Hc\nx', screen: ['b', '', '', '', 'c', ' x|'] },
      ],
    },
    {
      form: 'VT, FF',
      name: 'vertical tab, form feed',
      does: 'as a line feed',
      cases: [
        { name: 'VT goes down one row', bytes: 'ab\vx', screen: ['ab', '  x|'] },
        { name: 'FF goes down one row and erases nothing', bytes: 'ab\fx', screen: ['ab', '  x|'] },
      ],
    },
  ],
}
