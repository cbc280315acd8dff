import type { Section } from '../case.ts'

const rows = 'a\r\nb\r\nc\r\nd\r\ne\r\nf'
const everywhere = 'E'.repeat(20)

export const stateSection: Section = {
  title: 'Saved cursors, screens and resets',
  sequences: [
    {
      form: 'ESC 7, ESC 8',
      name: 'DECSC, DECRC',
      does: 'saves and restores the cursor',
      cases: [
        { name: 'brings the position back', bytes: 'ab\x1b7\x1b[4;4Hc\x1b8x', screen: ['abx|', '', '', '   c'] },
        { name: 'without a saved one goes home', bytes: '\x1b[4;4H\x1b8x', screen: ['x|'] },
        { name: 'restores as often as it is asked', bytes: 'a\x1b7b\x1b8c\x1b8x', screen: ['ax|'] },
        { name: 'brings the style back', bytes: '\x1b[1m\x1b7\x1b[0m\x1b8X', sgr: '1' },
        { name: 'brings the character set back', bytes: '\x1b(0\x1b7\x1b(B\x1b8q', screen: ['─|'] },
        {
          name: 'brings origin mode back',
          ours: { why: 'the emulator forgets it', screen: ['x|'] },
          bytes: '\x1b[2;5r\x1b[?6h\x1b7\x1b[?6l\x1b8\x1b[1;1Hx',
          screen: ['', 'x|'],
        },
      ],
    },
    {
      form: 'CSI s, CSI u',
      name: 'SCOSC, SCORC',
      does: 'saves and restores the cursor',
      cases: [
        { name: 'brings the position back', bytes: 'ab\x1b[s\x1b[4;4Hc\x1b[ux', screen: ['abx|', '', '', '   c'] },
      ],
    },
    {
      form: 'CSI ? 1048 h',
      name: 'save cursor as a mode',
      does: 'saves the cursor, and restores it when it is turned off',
      cases: [
        {
          name: 'brings the position back',
          tmux: 'ignores it',
          bytes: 'ab\x1b[?1048h\x1b[4;4Hc\x1b[?1048lx',
          screen: ['abx|', '', '', '   c'],
        },
      ],
    },
    {
      form: 'CSI ? 47 h',
      name: 'alternate screen',
      does: 'shows the other screen',
      cases: [
        { name: 'the cursor stays where it is', bytes: 'ab\x1b[?47hx', screen: ['  x|'], alternateScreen: true },
        {
          name: 'leaving shows the first one as it was',
          bytes: 'ab\x1b[?47h\x1b[Hxyz\x1b[?47l',
          screen: ['ab |'],
          alternateScreen: false,
        },
        {
          name: 'keeps what was drawn for the next time',
          tmux: 'empties it each time',
          ours: { why: 'the emulator empties it each time', screen: ['  |'] },
          bytes: 'a\x1b[?47hB\x1b[?47l\x1b[?47h',
          screen: [' B|'],
        },
      ],
    },
    {
      form: 'CSI ? 1047 h',
      name: 'alternate screen, cleared',
      does: 'shows the other screen, and clears it when it is turned off',
      cases: [
        {
          name: 'leaving shows the first one as it was',
          bytes: 'ab\x1b[?1047hxyz\x1b[?1047l',
          screen: ['ab   |'],
          alternateScreen: false,
        },
        { name: 'is empty the next time', bytes: 'a\x1b[?1047hB\x1b[?1047l\x1b[?1047h', screen: ['  |'] },
      ],
    },
    {
      form: 'CSI ? 1049 h',
      name: 'alternate screen with a cursor of its own',
      does: 'saves the cursor and shows an empty screen; turned off brings both back',
      cases: [
        { name: 'begins empty', bytes: 'ab\x1b[?1049hx', screen: ['  x|'], alternateScreen: true },
        {
          name: 'leaving brings text and cursor back',
          bytes: 'ab\x1b[?1049h\x1b[4;4Hx\x1b[?1049l',
          screen: ['ab|'],
          alternateScreen: false,
        },
        { name: 'is empty the next time', bytes: '\x1b[?1049hB\x1b[?1049l\x1b[?1049h', screen: ['|'] },
        { name: 'leaving brings the style back', bytes: '\x1b[1m\x1b[?1049h\x1b[0m\x1b[?1049lX', sgr: '1' },
        {
          name: 'turned on twice keeps the first text',
          bytes: 'ab\x1b[?1049h\x1b[?1049hxy\x1b[?1049l',
          screen: ['ab|'],
        },
      ],
    },
    {
      form: 'ESC # 8',
      name: 'DECALN',
      does: 'fills the screen with E',
      cases: [
        {
          name: 'fills every cell and goes home',
          bytes: 'ab\x1b#8',
          screen: [`|${everywhere}`, ...Array(5).fill(everywhere)],
        },
        {
          name: 'takes the margins away',
          ours: { why: 'the emulator keeps them', screen: [...Array(5).fill(everywhere), `x|${everywhere.slice(1)}`] },
          bytes: '\x1b[2;4r\x1b#8\x1b[6;1H\nx',
          screen: [...Array(5).fill(everywhere), 'x|'],
        },
      ],
    },
    {
      form: 'CSI ! p',
      name: 'DECSTR',
      does: 'soft reset: modes, margins and styles',
      cases: [
        { name: 'leaves text and cursor', bytes: 'ab\x1b[!px', screen: ['abx|'] },
        { name: 'ends insert mode', tmux: 'ignores it', bytes: 'abc\x1b[4h\x1b[!p\rx', screen: ['x|bc'] },
        {
          name: 'takes the margins away',
          tmux: 'ignores it',
          bytes: `${rows}\x1b[2;4r\x1b[!p\x1b[6;1H\nx`,
          screen: ['b', 'c', 'd', 'e', 'f', 'x|'],
        },
        { name: 'ends origin mode', tmux: 'ignores it', bytes: '\x1b[3;5r\x1b[?6h\x1b[!p\x1b[1;1Hx', screen: ['x|'] },
        { name: 'ends styles', tmux: 'ignores it', bytes: '\x1b[1;31m\x1b[!pX', sgr: '' },
        { name: 'ends the line drawing set', tmux: 'ignores it', bytes: '\x1b(0\x1b[!pq', screen: ['q|'] },
        { name: 'forgets the saved cursor', tmux: 'ignores it', bytes: '\x1b[3;3H\x1b7\x1b[!p\x1b8x', screen: ['x|'] },
        { name: 'shows the cursor', tmux: 'ignores it', bytes: '\x1b[?25l\x1b[!p', cursorVisible: true },
      ],
    },
    {
      form: 'ESC c',
      name: 'RIS',
      does: 'full reset',
      cases: [
        { name: 'empties the screen and goes home', bytes: `${rows}\x1bcx`, screen: ['x|'] },
        { name: 'takes the margins away', bytes: '\x1b[2;4r\x1bc\x1b[6;1Ha\nx', screen: ['', '', '', '', 'a', ' x|'] },
        { name: 'brings the tab stops back', bytes: '\x1b[3g\x1bc\tx', screen: ['        x|'] },
        { name: 'ends styles', bytes: '\x1b[1;31m\x1bcX', sgr: '' },
        { name: 'ends the line drawing set', bytes: '\x1b(0\x1bcq', screen: ['q|'] },
        { name: 'ends insert mode', bytes: '\x1b[4h\x1bcab\rx', screen: ['x|b'] },
        { name: 'turns wrapping on', bytes: `\x1b[?7l\x1bc${'x'.repeat(21)}`, screen: ['x'.repeat(20), 'x|'] },
        { name: 'leaves the alternate screen', tmux: 'stays on it', bytes: '\x1b[?1049h\x1bc', alternateScreen: false },
        { name: 'shows the cursor', bytes: '\x1b[?25l\x1bc', cursorVisible: true },
        { name: 'forgets the saved cursor', bytes: '\x1b[3;3H\x1b7\x1bc\x1b[5;5H\x1b8x', screen: ['x|'] },
      ],
    },
    {
      form: 'CSI ? n s, CSI ? n r',
      name: 'XTSAVE, XTRESTORE',
      does: 'saves and restores private modes',
      cases: [
        {
          name: 'brings wrapping back',
          bytes: `\x1b[?7s\x1b[?7l\x1b[?7r${'x'.repeat(21)}`,
          screen: ['x'.repeat(20), 'x|'],
          ours: { why: 'the emulator ignores it', screen: [`${'x'.repeat(19)}|x`] },
          tmux: 'ignores it',
        },
      ],
    },
    {
      form: 'CSI ? 25 h',
      name: 'DECTCEM',
      does: 'shows the cursor',
      cases: [
        { name: 'turned off hides it', bytes: '\x1b[?25l', cursorVisible: false },
        { name: 'turned on shows it again', bytes: '\x1b[?25l\x1b[?25h', cursorVisible: true },
        { name: 'is understood among other modes', bytes: '\x1b[?7;25l', cursorVisible: false },
      ],
    },
    {
      form: 'CSI ? n h',
      name: 'modes without a picture',
      does: 'keys, mouse, focus, paste, reverse video, synchronized output',
      cases: [1, 5, 12, 66, 1000, 1002, 1003, 1004, 1006, 2004, 2026].map((mode) => ({
        name: `mode ${mode} leaves text and cursor`,
        bytes: `ab\x1b[?${mode}hc\x1b[?${mode}ld`,
        screen: ['abcd|'],
      })),
    },
  ],
}
