/** The recorded scenarios: real programs in states worth a review. Line-based ones are also compared as text. */

export interface Scenario {
  readonly name: string
  readonly cols: number
  readonly rows: number
  readonly command: readonly string[]
  /** Each is typed when the program waits: verbatim text, or keys. */
  readonly steps: readonly (string | readonly string[])[]
  readonly lineWise: boolean
}

const screen = { cols: 80, rows: 24, lineWise: false }
const lines = { cols: 80, rows: 24, lineWise: true, steps: [] }

export const scenarios: readonly Scenario[] = [
  {
    ...screen,
    name: 'vim-visual',
    command: ['vim', '-u', 'DEFAULTS', '-i', 'NONE', '-n', 'poem.txt'],
    steps: [
      [':', 's', 'e', 't', 'space', 'n', 'u', 'enter'],
      ['j', 'w', 'v', 'j', 'e'],
    ],
  },
  {
    ...screen,
    name: 'vim-split',
    command: ['vim', '-u', 'DEFAULTS', '-i', 'NONE', '-n', '-O', 'poem.txt', 'program.py'],
    steps: [
      ['G', 'o', 'e', 'n', 'd'],
      ['escape', 'ctrl+w', 'l'],
      ['/', 'd', 'e', 'f', 'enter'],
    ],
  },
  {
    ...screen,
    name: 'less-search',
    command: ['less', '-N', 'numbers.txt'],
    steps: [['space'], ['/', '7', '7', 'enter']],
  },
  {
    ...lines,
    name: 'git-graph',
    command: ['git', '--no-pager', 'log', '--graph', '--oneline', '--decorate', '--all', '--color=always'],
  },
  {
    ...screen,
    name: 'nano-edit',
    command: ['nano', '--ignorercfiles', 'poem.txt'],
    steps: [
      ['down', 'end'],
      ['!', 'enter'],
      ['ctrl+w', 's', 'u', 'g', 'a', 'r'],
    ],
  },
  {
    ...screen,
    name: 'mc-menu',
    command: ['mc', '--nosubshell', '--nomouse', '--skin=default', 'left', 'right'],
    steps: [['f9'], ['right', 'enter'], ['down']],
  },
  {
    ...screen,
    name: 'dialog-menu',
    command: [
      'dialog',
      '--title',
      'Breakfast',
      '--menu',
      'What shall it be?',
      '14',
      '46',
      '4',
      ...['tea', 'with milk', 'coffee', 'black', 'cocoa', 'for the child', 'water', 'as it comes'],
    ],
    steps: [['down', 'down'], ['tab']],
  },
  {
    ...screen,
    name: 'fzf-filter',
    command: ['sh', '-c', 'seq 1 1000 | sed "s/^/entry number /" | fzf --no-mouse --prompt "pick> "'],
    steps: [
      ['4', '2'],
      ['up', 'up'],
    ],
  },
  {
    ...screen,
    name: 'git-log',
    command: ['git', '-c', 'core.pager=less', '-c', 'color.ui=always', 'log', '--stat', '--decorate'],
    steps: [['/', 'p', 'o', 'e', 'm', 'enter'], ['n']],
  },
  // Shows only its own process: other processes of the machine are private, and would not fit.
  { ...screen, name: 'top-one', command: ['sh', '-c', 'sleep 1000 & top -d 900 -p $!'], steps: [['c'], ['x', 'b']] },
  { ...screen, name: 'htop-one', command: ['sh', '-c', 'sleep 1000 & htop -d 100 -p $!'], steps: [['f5'], ['space']] },
  { ...lines, name: 'progress-bars', command: ['python3', 'progress.py'] },
  { ...lines, name: 'wide-characters', command: ['python3', 'wide.py'] },
  {
    ...lines,
    name: 'pdb-session',
    command: ['python3', '-m', 'pdb', 'program.py'],
    steps: ['break double', 'continue', 'p number', 'p lette\b\b\bngth', 'step', 'quit'],
  },
]

export const files: Readonly<Record<string, string>> = {
  'poem.txt': 'Roses are red,\nviolets are blue,\nsugar is sweet,\nand so are you.\n',
  'numbers.txt': Array.from({ length: 200 }, (_, index) => `this is line ${index + 1}\n`).join(''),
  'program.py':
    'def double(number):\n    result = number * 2\n    return result\n\n\nfor index in range(3):\n    print(double(index))\n',
  'progress.py': [
    'import sys',
    'def out(text): sys.stdout.write(text); sys.stdout.flush()',
    'out("Collecting package\\n")',
    'for i in range(0, 101, 5):',
    '    bar = chr(0x2501) * (i * 40 // 100)',
    '    out(f"\\r   \\x1b[38;2;114;156;31m{bar:40}\\x1b[0m {i}/100 kB")',
    'out("\\r\\x1b[2K   done\\n")',
    'for i in range(30):',
    '    spinner = chr(0x280b + i % 10)',
    '    out(f"\\x1b[1G\\x1b[0K{spinner} reify: package-{i}")',
    'out("\\x1b[1G\\x1b[0Kadded 30 packages\\n")',
    'for i in range(4): out(f"job {i}: waiting\\n")',
    'for i in range(4): out(f"\\x1b[{4 - i}A\\x1b[2K\\x1b[32mjob {i}: finished\\x1b[0m\\x1b[{4 - i}B\\r")',
    'out("all \\b\\b\\b\\bfour finished\\n")',
  ].join('\n'),
  'wide.py': [
    'rows = [("latin", "naïve café"), ("composed", "nai\\u0308ve cafe\\u0301"), ("chinese", "终端模拟器"),',
    '  ("japanese", "ターミナル"), ("halfwidth", "ﾀｰﾐﾅﾙ"), ("korean", "터미널"), ("arabic", "طرفية"), ("thai", "ที่นี่"),',
    '  ("emoji", "😀🎉🚀"), ("skin", "👍🏽"), ("family", "👨‍👩‍👧"), ("flag", "🇩🇪🇯🇵"), ("keycap", "1️⃣"), ("heart", "❤️"),',
    '  ("box", "┌─┬─┐"), ("math", "∀x∈ℝ"), ("ambiguous", "§±×÷")]',
    'for name, text in rows: print(f"{name:10} |{text}|")',
    'print("x" * 75 + "终端模拟器")',
    'print("y" * 79 + "终")',
    'print("\\x1b[31;1mred\\x1b[0m \\x1b[7minverse\\x1b[0m \\x1b[4:3mwavy\\x1b[0m \\x1b]8;;https://example.org\\x07link\\x1b]8;;\\x07")',
    'print("tab\\tstop\\t" + "终\\tafter")',
  ].join('\n'),
}
