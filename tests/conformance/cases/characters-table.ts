import type { Section } from '../case.ts'

const edge = 'x'.repeat(19)

export const charactersSection: Section = {
  title: 'Characters',
  sequences: [
    {
      form: 'ESC ( 0, ESC ( B',
      name: 'SCS into G0',
      does: 'line drawing and ASCII',
      cases: [
        { name: 'letters draw lines', bytes: '\x1b(0lqwqk\r\nx x x\r\nmqvqj', screen: ['┌─┬─┐', '│ │ │', '└─┴─┘|'] },
        { name: 'capital letters and digits stay', bytes: '\x1b(0AZ09', screen: ['AZ09|'] },
        { name: 'ASCII comes back', bytes: '\x1b(0q\x1b(Bq', screen: ['─q|'] },
        { name: 'the other pictures of the set', bytes: '\x1b(0`afgyz{|}~', screen: ['◆▒°±≤≥π≠£·|'] },
      ],
    },
    {
      form: 'ESC ) 0, SO, SI',
      name: 'SCS into G1, LS1, LS0',
      does: 'a second set, shifted in and out',
      cases: [
        { name: 'SO takes G1 and SI gives G0 back', bytes: '\x1b)0q\x0eq\x0fq', screen: ['q─q|'] },
        { name: 'SO without a set in G1 changes nothing', bytes: '\x0eq', screen: ['q|'] },
      ],
    },
    {
      form: 'ESC ( A',
      name: 'SCS, British',
      does: 'the pound sign for #',
      cases: [
        { name: '# is a pound sign', bytes: '\x1b(A#', screen: ['£|'], tmux: 'knows ASCII and line drawing only' },
      ],
    },
    {
      form: 'ESC n, ESC o',
      name: 'LS2, LS3',
      does: 'shifts G2 and G3 in',
      cases: [
        { name: 'LS2 takes G2', bytes: '\x1b*0\x1bnq', screen: ['─|'], tmux: 'has G0 and G1 only' },
        { name: 'LS3 takes G3', bytes: '\x1b+0\x1boq', screen: ['─|'], tmux: 'has G0 and G1 only' },
      ],
    },
    {
      form: 'ESC N, ESC O',
      name: 'SS2, SS3',
      does: 'one character of G2 or G3',
      cases: [
        {
          name: 'SS2 takes one character of G2',
          bytes: '\x1b*0\x1bNqq',
          screen: ['─q|'],
          ours: { why: 'the emulator ignores single shifts', screen: ['qq|'] },
          tmux: 'has G0 and G1 only',
        },
      ],
    },
    {
      form: 'ESC % G',
      name: 'UTF-8',
      does: 'says that text is UTF-8, as it is',
      cases: [{ name: 'leaves text alone', bytes: 'ä\x1b%Gö', screen: ['äö|'] }],
    },
    {
      form: 'text',
      name: 'wide characters',
      does: 'two columns each',
      cases: [
        { name: 'takes two columns', bytes: '漢字x\r\n12345', screen: ['漢字x', '12345|'] },
        { name: 'goes to the next row when one column is left', bytes: `${edge}漢`, screen: [edge, '漢|'] },
        {
          name: 'fits into the last two columns',
          bytes: `${'x'.repeat(18)}漢y`,
          screen: [`${'x'.repeat(18)}漢`, 'y|'],
        },
        { name: 'overwriting its left half erases the right one', bytes: '漢字\rx', screen: ['x| 字'] },
        {
          name: 'overwriting its right half erases the left one',
          tmux: 'leaves the other half standing',
          bytes: '漢字\x1b[2Gx',
          screen: [' x|字'],
        },
        { name: 'writing one over the halves of two erases both', bytes: '漢字\x1b[2G語', screen: [' 語|'] },
        {
          name: 'ECH of its left half erases both',
          tmux: 'leaves the other half standing',
          bytes: '漢字\r\x1b[X',
          screen: ['|  字'],
        },
        {
          name: 'DCH of its left half leaves a blank',
          tmux: 'leaves the other half standing',
          bytes: '漢字\r\x1b[P',
          screen: ['| 字'],
        },
        {
          name: 'EL from its right half on erases the left one',
          tmux: 'leaves the other half standing',
          bytes: '漢字\x1b[2G\x1b[K',
          screen: [' |'],
        },
        {
          name: 'ICH between its halves leaves no half',
          tmux: 'leaves the other half standing',
          bytes: '漢a\x1b[2G\x1b[@',
          screen: [' |  a'],
        },
        {
          name: 'insert mode drops one of which half leaves the row',
          tmux: 'leaves the other half standing',
          bytes: `${'x'.repeat(18)}漢\r\x1b[4hy`,
          screen: [`y|${'x'.repeat(18)}`],
        },
      ],
    },
    {
      form: 'text',
      name: 'combining characters',
      does: 'no column of their own',
      cases: [
        { name: 'joins the character before', bytes: 'e\u0301x', screen: ['e\u0301x|'] },
        { name: 'joins the last one of a full row', bytes: `${edge}e\u0301`, screen: [`${edge}|e\u0301`] },
        { name: 'a full row wraps after it', bytes: `${edge}e\u0301x`, screen: [`${edge}e\u0301`, 'x|'] },
        { name: 'several join one character', bytes: 'a\u0301\u0323x', screen: ['a\u0301\u0323x|'] },
        { name: 'joins a wide character', bytes: 'か\u3099x', screen: ['か\u3099x|'] },
        { name: 'is written over together with its character', bytes: 'e\u0301\rx', screen: ['x|'] },
        {
          name: 'is repeated with its character',
          tmux: 'repeats ASCII only',
          bytes: 'e\u0301\x1b[b',
          screen: ['e\u0301e\u0301|'],
        },
      ],
    },
    {
      form: 'text',
      name: 'emoji',
      does: 'one cluster, two columns',
      beyondXterm: 'Unicode 15, UAX #29: xterm counts each code point',
      cases: [
        { name: 'a face takes two columns', bytes: '😀x', screen: ['😀x|'] },
        { name: 'a family is one character', bytes: '👨‍👩‍👧x', screen: ['👨‍👩‍👧x|'] },
        { name: 'a flag is one character', bytes: '🇩🇪x', screen: ['🇩🇪x|'] },
        {
          name: 'a skin tone joins its face',
          tmux: 'counts two columns more for it',
          bytes: '👍🏽x',
          screen: ['👍🏽x|'],
        },
        { name: 'a face goes to the next row when one column is left', bytes: `${edge}😀`, screen: [edge, '😀|'] },
        {
          name: 'a family at the edge goes to the next row whole',
          bytes: `${edge}👨‍👩‍👧x`,
          screen: [edge, '👨‍👩‍👧x|'],
        },
      ],
    },
    {
      form: 'text',
      name: 'malformed text',
      does: 'a replacement character',
      beyondXterm: 'Unicode 15, chapter 3.9',
      cases: [
        {
          name: 'a byte that begins nothing',
          tmux: 'drops it',
          bytes: Buffer.from([0x61, 0xff, 0x62]),
          screen: ['a\ufffdb|'],
        },
        {
          name: 'a character that is cut short',
          tmux: 'drops it',
          bytes: Buffer.from([0x61, 0xe6, 0xbc, 0x62]),
          screen: ['a\ufffdb|'],
        },
      ],
    },
    {
      form: 'NUL, DEL',
      name: 'filling bytes',
      does: 'nothing',
      cases: [
        { name: 'NUL is passed over', bytes: 'a\0b', screen: ['ab|'] },
        { name: 'DEL is passed over', bytes: 'a\x7fb', screen: ['ab|'] },
      ],
    },
  ],
}
