import type { Section } from '../case.ts'

export const stringsSection: Section = {
  title: 'Strings and broken sequences',
  sequences: [
    {
      form: 'OSC 0, OSC 2',
      name: 'title',
      does: 'names the window',
      cases: [
        { name: 'OSC 2 with ST', bytes: 'a\x1b]2;vim\x1b\\b', screen: ['ab|'], title: 'vim' },
        { name: 'OSC 0 with BEL', bytes: 'a\x1b]0;vim\x07b', screen: ['ab|'], title: 'vim' },
        { name: 'keeps semicolons', bytes: '\x1b]2;a;b\x07', title: 'a;b' },
        { name: 'keeps characters of other scripts', bytes: '\x1b]2;終端\x07', title: '終端' },
        { name: 'OSC 1 names the icon only', bytes: '\x1b]2;vim\x07\x1b]1;other\x07', title: 'vim' },
      ],
    },
    {
      form: 'CSI 22 t, CSI 23 t',
      name: 'title stack',
      does: 'keeps the title and brings it back',
      cases: [
        {
          name: 'brings the title back',
          bytes: '\x1b]2;sh\x07\x1b[22;0t\x1b]2;vim\x07\x1b[23;0t',
          title: 'sh',
        },
        { name: 'with nothing kept changes nothing', bytes: '\x1b]2;sh\x07\x1b[23;0t', title: 'sh' },
      ],
    },
    {
      form: 'OSC 8',
      name: 'link',
      does: 'text that leads somewhere',
      beyondXterm: 'a convention of many terminals',
      cases: [
        { name: 'its text is text', bytes: '\x1b]8;;https://example.org\x1b\\li\x1b]8;;\x1b\\nk', screen: ['link|'] },
      ],
    },
    {
      form: 'OSC n',
      name: 'other OSC',
      does: 'not shown',
      cases: [
        { name: 'an unknown one is swallowed', bytes: 'a\x1b]9876;hidden\x07b', screen: ['ab|'] },
        { name: 'a folder (OSC 7) is swallowed', bytes: 'a\x1b]7;file:///tmp\x1b\\b', screen: ['ab|'] },
        { name: 'marks of a shell (OSC 133) are swallowed', bytes: '\x1b]133;A\x07$ \x1b]133;B\x07', screen: ['$ |'] },
        { name: 'one for the clipboard is swallowed', bytes: 'a\x1b]52;c;aGlkZGVu\x07b', screen: ['ab|'] },
      ],
    },
    {
      form: 'DCS, APC, PM, SOS',
      name: 'other strings',
      does: 'not shown',
      cases: [
        { name: 'an unknown DCS is swallowed', bytes: 'a\x1bPhidden\x1b\\b', screen: ['ab|'] },
        { name: 'a picture in sixels is swallowed', bytes: 'a\x1bPq#0;2;0;0;0#0~~@@\x1b\\b', screen: ['ab|'] },
        { name: 'APC is swallowed', bytes: 'a\x1b_hidden\x1b\\b', screen: ['ab|'] },
        { name: 'PM is swallowed', bytes: 'a\x1b^hidden\x1b\\b', screen: ['ab|'] },
        { name: 'SOS is swallowed', bytes: 'a\x1bXhidden\x1b\\b', screen: ['ab|'] },
      ],
    },
    {
      form: 'CAN, SUB, ESC',
      name: 'broken sequences',
      does: 'end a sequence before its time',
      cases: [
        { name: 'CAN ends a CSI', bytes: 'ab\x1b[2\x18D', screen: ['abD|'] },
        { name: 'CAN ends an OSC', bytes: 'a\x1b]2;x\x18b', screen: ['ab|'] },
        { name: 'ESC begins a new sequence', bytes: 'abc\x1b[2\x1b[Dx', screen: ['abx|'] },
        { name: 'a control character inside works at once', bytes: 'abc\x1b[2\rCx', screen: ['abx|'] },
        { name: 'an unknown CSI is swallowed', bytes: 'a\x1b[5;6;7yb', screen: ['ab|'] },
        { name: 'an unknown ESC is swallowed', bytes: 'a\x1b(zb', screen: ['ab|'] },
        {
          name: 'a very large number is the largest',
          tmux: 'ignores a number that is too large',
          bytes: 'a\x1b[99999999999Cx',
          screen: [`a${' '.repeat(18)}|x`],
        },
        {
          name: 'a C1 control that was decoded from UTF-8 is none',
          bytes: 'abc\u009b2Dx',
          screen: ['abc2Dx|'],
          ours: { why: 'the emulator takes it for one', screen: ['ax|c'] },
        },
      ],
    },
  ],
}
