import type { Section } from '../case.ts'

const noModes = 'answers no questions for modes'

export const repliesSection: Section = {
  title: 'Questions and answers',
  sequences: [
    {
      form: 'CSI c',
      name: 'DA1',
      does: 'what the terminal is',
      cases: [
        { name: 'reports attributes', bytes: '\x1b[c', replies: /^\x1b\[\?[\d;]+c$/ },
        { name: 'takes 0 for none', bytes: '\x1b[0c', replies: /^\x1b\[\?[\d;]+c$/ },
      ],
    },
    {
      form: 'CSI > c',
      name: 'DA2',
      does: 'what the terminal is, more',
      cases: [{ name: 'reports kind and version', bytes: '\x1b[>c', replies: /^\x1b\[>\d+;\d+;\d+c$/ }],
    },
    {
      form: 'CSI = c',
      name: 'DA3',
      does: 'a serial number',
      cases: [
        {
          name: 'reports a number',
          bytes: '\x1b[=c',
          replies: /^\x1bP!\|[\dA-F]{8}\x1b\\$/,
          ours: { why: 'no program asks', replies: '' },
          tmux: 'does not answer',
        },
      ],
    },
    {
      form: 'CSI > q',
      name: 'XTVERSION',
      does: 'name and version',
      cases: [{ name: 'reports both', bytes: '\x1b[>q', replies: /^\x1bP>\|[^\x1b]+\x1b\\$/ }],
    },
    {
      form: 'CSI 5 n',
      name: 'DSR',
      does: 'whether all is well',
      cases: [{ name: 'says that it is', bytes: '\x1b[5n', replies: '\x1b[0n' }],
    },
    {
      form: 'CSI 6 n',
      name: 'CPR',
      does: 'where the cursor is',
      cases: [
        { name: 'counts rows and columns from 1', bytes: '\x1b[2;3H\x1b[6n', replies: '\x1b[2;3R' },
        {
          name: 'reports the last column when the next character would wrap',
          tmux: 'reports the one after it',
          bytes: `${'x'.repeat(20)}\x1b[6n`,
          replies: '\x1b[1;20R',
        },
        {
          name: 'answers in the order of the questions',
          bytes: '\x1b[6na\x1b[5n\x1b[6n',
          replies: '\x1b[1;1R\x1b[0n\x1b[1;2R',
        },
        {
          name: 'reports the size to whoever goes far away first',
          bytes: '\x1b[999;999H\x1b[6n',
          replies: '\x1b[6;20R',
        },
      ],
    },
    {
      form: 'CSI ? 6 n',
      name: 'DECXCPR',
      does: 'where the cursor is',
      cases: [
        {
          name: 'counts rows and columns from 1',
          bytes: '\x1b[2;3H\x1b[?6n',
          replies: /^\x1b\[\?2;3(;1)?R$/,
          tmux: 'does not answer',
        },
      ],
    },
    {
      form: 'CSI ? n $ p',
      name: 'DECRQM, private',
      does: 'whether a mode is on',
      cases: [
        { name: '1 when it is on', bytes: '\x1b[?2004h\x1b[?2004$p', replies: '\x1b[?2004;1$y', tmux: noModes },
        { name: '2 when it is off', bytes: '\x1b[?2004$p', replies: '\x1b[?2004;2$y', tmux: noModes },
        { name: '0 when it is unknown', bytes: '\x1b[?9999$p', replies: '\x1b[?9999;0$y', tmux: noModes },
        { name: 'knows wrapping', bytes: '\x1b[?7$p', replies: '\x1b[?7;1$y', tmux: noModes },
        {
          name: 'knows the alternate screen',
          bytes: '\x1b[?1049h\x1b[?1049$p',
          replies: '\x1b[?1049;1$y',
          tmux: noModes,
        },
        { name: 'knows the cursor', bytes: '\x1b[?25l\x1b[?25$p', replies: '\x1b[?25;2$y', tmux: noModes },
        {
          name: 'knows the mouse',
          bytes: '\x1b[?1002;1006h\x1b[?1002$p\x1b[?1006$p',
          replies: '\x1b[?1002;1$y\x1b[?1006;1$y',
          tmux: noModes,
        },
      ],
    },
    {
      form: 'CSI n $ p',
      name: 'DECRQM',
      does: 'whether a mode is on',
      cases: [
        { name: 'knows insert mode', bytes: '\x1b[4h\x1b[4$p', replies: '\x1b[4;1$y', tmux: noModes },
        { name: 'knows newline mode', bytes: '\x1b[20$p', replies: '\x1b[20;2$y', tmux: noModes },
      ],
    },
    {
      form: 'DCS $ q … ST',
      name: 'DECRQSS',
      does: 'what a setting is',
      cases: [
        {
          name: 'margins',
          bytes: '\x1b[2;4r\x1bP$qr\x1b\\',
          replies: '\x1bP1$r2;4r\x1b\\',
          tmux: 'does not answer',
        },
        {
          name: 'styles',
          ours: { why: 'the emulator always reports none', replies: '\x1bP1$r0m\x1b\\' },
          bytes: '\x1b[1m\x1bP$qm\x1b\\',
          replies: '\x1bP1$r0;1m\x1b\\',
          tmux: 'does not answer',
        },
        {
          name: 'shape of the cursor',
          tmux: 'does not answer',
          bytes: '\x1b[4 q\x1bP$q q\x1b\\',
          replies: '\x1bP1$r4 q\x1b\\',
        },
        {
          name: 'what it does not know is said so',
          tmux: 'does not answer',
          bytes: '\x1bP$q~\x1b\\',
          replies: '\x1bP0$r\x1b\\',
        },
      ],
    },
    {
      form: 'CSI 18 t',
      name: 'size in characters',
      does: 'rows and columns',
      cases: [
        {
          name: 'reports rows first',
          tmux: 'reports columns first',
          bytes: '\x1b[18t',
          replies: '\x1b[8;6;20t',
        },
      ],
    },
    {
      form: 'CSI 14 t, CSI 16 t',
      name: 'size in pixels',
      does: 'of the window and of a cell',
      cases: [
        {
          name: 'of the window',
          tmux: 'asks the terminal it is shown in; here there is none',
          bytes: '\x1b[14t',
          replies: /^\x1b\[4;\d+;\d+t$/,
          ours: { why: 'there are no pixels', replies: '' },
        },
        {
          name: 'of a cell',
          bytes: '\x1b[16t',
          replies: /^\x1b\[6;\d+;\d+t$/,
          ours: { why: 'there are no pixels', replies: '' },
          tmux: 'does not answer',
        },
      ],
    },
    {
      form: 'CSI 21 t',
      name: 'title',
      does: 'a program asks for the title',
      cases: [
        {
          name: 'is not reported: who writes a title could type into the terminal by it',
          bytes: '\x1b]2;sh\x07\x1b[21t',
          replies: '',
        },
      ],
    },
    {
      form: 'OSC 10 ; ? ST, OSC 11 ; ? ST',
      name: 'colours of text and background',
      does: 'so that programs fit in',
      cases: [
        {
          name: 'foreground',
          tmux: 'asks the terminal it is shown in; here there is none',
          bytes: '\x1b]10;?\x1b\\',
          replies: /^\x1b\]10;rgb:[\da-f]{4}\/[\da-f]{4}\/[\da-f]{4}\x1b\\$/,
        },
        {
          name: 'background',
          tmux: 'asks the terminal it is shown in; here there is none',
          bytes: '\x1b]11;?\x1b\\',
          replies: /^\x1b\]11;rgb:[\da-f]{4}\/[\da-f]{4}\/[\da-f]{4}\x1b\\$/,
        },
        {
          name: 'a question ended by BEL is answered with BEL',
          ours: {
            why: 'the emulator does not report how it ended; ST ends every answer',
            replies: '\x1b]11;rgb:0000/0000/0000\x1b\\',
          },
          tmux: 'asks the terminal it is shown in; here there is none',
          bytes: '\x1b]11;?\x07',
          replies: /^\x1b\]11;rgb:[\da-f/]{14}\x07$/,
        },
      ],
    },
    {
      form: 'OSC 4 ; n ; ? ST',
      name: 'colours of the palette',
      does: 'what a number looks like',
      cases: [
        {
          name: 'reports one',
          tmux: 'does not answer',
          ours: { why: 'whoever draws the screen chooses them', replies: '' },
          bytes: '\x1b]4;1;?\x1b\\',
          replies: /^\x1b\]4;1;rgb:[\da-f/]{14}\x1b\\$/,
        },
      ],
    },
    {
      form: 'OSC 52 ; c ; ? ST',
      name: 'clipboard',
      does: 'a program asks for what was copied',
      cases: [{ name: 'is not reported: it belongs to a person', bytes: '\x1b]52;c;?\x1b\\', replies: '' }],
    },
    {
      form: 'DCS + q … ST',
      name: 'XTGETTCAP',
      does: 'reports capabilities',
      cases: [
        {
          name: 'reports the name of the terminal',
          bytes: '\x1bP+q544e\x1b\\',
          replies: /^\x1bP1\+r544e=[\da-fA-F]+\x1b\\$/,
          ours: { why: 'TERM says it', replies: '' },
          tmux: 'does not answer',
        },
      ],
    },
    {
      form: 'CSI ? u',
      name: 'keyboard protocol',
      does: 'reports which keys are sent in full',
      beyondXterm: 'the protocol of kitty',
      cases: [{ name: 'none are', bytes: '\x1b[?u', replies: '\x1b[?0u', tmux: 'does not answer' }],
    },
    {
      form: 'OSC 7501 ; ? ST',
      name: 'program status',
      does: 'reports that the terminal listens to what programs say of themselves',
      beyondXterm: 'the Program Status Protocol',
      cases: [
        {
          name: 'answers with the question',
          bytes: '\x1b]7501;?\x1b\\',
          replies: '\x1b]7501;?\x1b\\',
          tmux: 'does not answer',
        },
        {
          name: 'ends as the question did',
          bytes: '\x1b]7501;?\x07',
          replies: '\x1b]7501;?\x07',
          tmux: 'does not answer',
        },
        { name: 'a report is not shown', bytes: 'a\x1b]7501;state=working\x1b\\b', screen: ['ab|'] },
      ],
    },
    {
      form: 'ENQ',
      name: 'answerback',
      does: 'a text the user has set',
      cases: [{ name: 'is empty', bytes: 'a\x05b', screen: ['ab|'], replies: '' }],
    },
  ],
}
