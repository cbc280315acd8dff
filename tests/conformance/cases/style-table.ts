import type { Case, Section } from '../case.ts'

function styled(name: string, parameters: string, sgr: string): Case {
  return { name, bytes: `\x1b[${parameters}mX`, sgr }
}

const noStack = 'the emulator ignores it'

export const styleSection: Section = {
  title: 'Styles',
  sequences: [
    {
      form: 'CSI n m',
      name: 'SGR, styles',
      does: 'bold, dim, italic, underlined, inverse, hidden, crossed out',
      cases: [
        ...([1, 2, 3, 4, 7, 8, 9] as const).map((code) => styled(`${code} is shown`, `${code}`, `${code}`)),
        styled('several are shown together', '1;3;4', '1;3;4'),
        styled('21 is underlined twice', '21', '4'),
        styled('4:3 is a wavy line', '4:3', '4'),
        styled('4:0 ends the line', '4;4:0', ''),
        styled('22 ends bold and dim', '1;2;22', ''),
        styled('23, 24, 27, 28 and 29 end one style each', '1;3;4;7;8;9;23;24;27;28;29', '1'),
        styled('0 ends all', '1;3;31;42;0', ''),
        styled('no number is 0', '1;', ''),
        styled('an unknown number changes nothing', '1;77', '1'),
      ],
    },
    {
      form: 'CSI 3n m, CSI 4n m',
      name: 'SGR, colours',
      does: '16, 256 and true colours',
      cases: [
        styled('31 is red text', '31', '38;5;1'),
        styled('44 is a blue background', '44', '48;5;4'),
        styled('91 is bright red text', '91', '38;5;9'),
        styled('104 is a bright blue background', '104', '48;5;12'),
        styled('39 and 49 are the default colours', '31;44;39;49', ''),
        styled('38;5 is one of 256', '38;5;200', '38;5;200'),
        styled('48;5 is one of 256', '48;5;200', '48;5;200'),
        styled('38:5 is one of 256', '38:5:200', '38;5;200'),
        styled('38;2 is a true colour', '38;2;1;2;3', '38;2;1;2;3'),
        styled('38:2 is a true colour', '38:2::1:2:3', '38;2;1;2;3'),
        styled('48:2 is a true colour', '48:2::1:2:3', '48;2;1;2;3'),
        styled('what follows a colour counts', '38;5;200;1', '1;38;5;200'),
        styled('a colour of underlines leaves the text', '58;5;3', ''),
      ],
    },
    {
      form: 'CSI n m',
      name: 'SGR, how long it holds',
      does: 'until it is changed',
      cases: [
        { name: 'through movements of the cursor', bytes: '\x1b[1m\r\n\x1b[HX', sgr: '1' },
        { name: 'through erasing', bytes: '\x1b[1m\x1b[2JX', sgr: '1' },
        { name: 'through changes of the screen', bytes: '\x1b[1m\x1b[?47hX', sgr: '1' },
        { name: 'text keeps its style when it moves', bytes: '\r\n\x1b[1mX\x1b[0m\x1b[H\x1b[M', sgr: '1' },
        { name: 'text keeps its style when rows scroll', bytes: '\r\n\x1b[7mX\x1b[0m\x1b[S', sgr: '7' },
        { name: 'repeated characters have it', bytes: '\x1b[2;1H\x1b[3ma\x1b[1b\x1b[0m\x1b[H\x1b[M\x1b[P', sgr: '3' },
      ],
    },
    {
      form: 'CSI # {, CSI # }',
      name: 'XTPUSHSGR, XTPOPSGR',
      does: 'keeps and brings back styles',
      cases: [
        {
          name: 'brings bold back',
          bytes: '\x1b[1m\x1b[#{\x1b[0m\x1b[#}X',
          sgr: '1',
          ours: { why: noStack, sgr: '' },
          tmux: 'ignores it',
        },
      ],
    },
    {
      form: 'CSI n SP q',
      name: 'DECSCUSR',
      does: 'shape of the cursor',
      cases: [{ name: 'leaves text and cursor', bytes: 'ab\x1b[4 qc', screen: ['abc|'] }],
    },
  ],
}
