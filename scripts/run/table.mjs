/**
 * Every script of package.json: its purpose, its options, and the programs it runs.
 *
 * `needs`: the preparation: `product` (packages, the programs that tests drive, the build), `demo` (the same with fewer
 * programs), `build` (packages, the compiler, the build), `packages`, or nothing. Further arguments go to the last step. An option without a value is a switch; `N` is a whole number.
 */

const tsx = ['node', '--import', 'tsx']
const vitest = ['node_modules/.bin/vitest', 'run']
const check = { '--check': [null, 'write nothing; exit code 1 when something is not up to date'] }

/** The options that are passed on to vitest. */
const forVitest = {
  '-t': ['PATTERN', 'only tests whose names match'],
  '-u': [null, 'write snapshots anew'],
  '--reporter': ['NAME', 'as vitest names them'],
}

/** The system tests that make namespaces of networks, mounts and processes. */
const inNamespaces = ['tests/walls', 'tests/gym/environments.test.ts']

/** The system tests whose order of events varies, and which repeat it as often as a variable says. */
const ofRaces = [
  'tests/e2e/take-over-races.test.ts',
  'tests/host/tree.test.ts',
  'tests/host/lossless.test.ts',
  'tests/effects/races.test.ts',
]

export const scripts = {
  demo: {
    does: 'The product as an agent uses it: a crash found in a debugger and repaired in an editor. Checks its own result.',
    needs: 'demo',
    steps: [[...tsx, 'scripts/demo.ts']],
    options: { '--pace': ['N', 'pause N milliseconds before each step, to read along'] },
    example: 'npm run demo',
  },
  'install:user': {
    does: 'Installs agentpty for your user, from this checkout: builds it, copies it, and links the command.',
    needs: 'build',
    steps: [[...tsx, 'scripts/install-user.ts']],
    options: { '--undo': [null, 'remove it again; settings, recordings and running terminals stay'] },
    example: 'npm run install:user',
    more: 'The copy does not need the checkout. To update it, run the command again.',
  },
  build: {
    does: 'Builds the package into packages/agentpty/dist: the C host, the bundles and the types.',
    needs: 'packages',
    steps: [[...tsx, 'scripts/build.ts']],
    options: {
      '--types': [null, 'wait for the types, checked; without it old ones are replaced a few seconds later'],
      '--watch': [null, 'build the bundles again on every save'],
    },
    example: 'npm run build',
  },
  vsix: {
    does: 'Builds the extension of VS Code: packages/vscode/agentpty.vsix.',
    needs: 'packages',
    steps: [[...tsx, 'scripts/build-vsix.ts']],
    example: 'npm run vsix',
  },
  prebuild: {
    does: 'Builds ptyhost for every machine that the package serves, or for those that are named.',
    steps: [[...tsx, 'scripts/prebuild.ts']],
    words: ['TARGET...', 0, 10],
    options: { '--check': [null, 'build nothing; fail unless all are there and of these sources'] },
    example: 'npm run prebuild -- linux-arm64',
  },
  release: {
    does: 'Asks whether all binaries are there, builds with types, and publishes the package.',
    steps: [
      ['npm', 'run', 'prebuild', '--', '--check'],
      ['npm', 'run', 'build', '--', '--types'],
      ['npm', 'publish', '-w', 'packages/agentpty'],
    ],
    options: { '--dry-run': [null, 'all but the publishing'], '--tag': ['NAME', 'publish under this tag'] },
    example: 'npm run release -- --dry-run',
  },
  dev: {
    does: 'Builds the bundles again on every save.',
    needs: 'packages',
    steps: [[...tsx, 'scripts/build.ts', '--watch']],
    example: 'npm run dev',
  },
  check: {
    does: 'Types, lint, tidy and the unit tests beside each other: what must be clean before every commit.',
    // The longest first: its output is last in any case.
    steps: [['node', 'scripts/run/side-by-side.mjs', 'test:unit', 'types', 'lint', 'tidy']],
    example: 'npm run check',
  },
  types: {
    does: 'Checks the types of everything.',
    steps: [['node_modules/.bin/tsc', '--build', '.', 'packages/agentpty/view', 'packages/web', 'packages/vscode']],
    example: 'npm run types',
  },
  'types:published': {
    does: 'Checks what the published package says of its types. Needs them: npm run build -- --types.',
    steps: [
      ['node_modules/.bin/publint', '--strict', 'packages/agentpty'],
      ['node_modules/.bin/attw', '--pack', 'packages/agentpty', '--profile', 'esm-only', '--format', 'table'],
    ],
    example: 'npm run types:published',
  },
  lint: {
    does: 'Checks format and style with biome.',
    steps: [['node_modules/.bin/biome', 'check', '.']],
    options: { '--write': [null, 'and put right what can be'] },
    example: 'npm run lint -- --write',
  },
  tidy: {
    does: 'Checks what no other tool does: lengths, names, pages; and finds files that nothing uses.',
    steps: [
      ['node_modules/.bin/knip', '--production'],
      [...tsx, 'scripts/tidy.ts'],
    ],
    options: { '--report': [null, 'figures of the sources in place of problems'] },
    example: 'npm run tidy -- --report',
  },
  test: {
    does: 'Every suite, the C host and real programs included. The last line is `N passed, N failed`.',
    needs: 'product',
    steps: [[...tsx, 'scripts/test.ts']],
    example: 'npm test',
    more: 'One file alone: npx vitest run --project unit PATH, or --project system PATH.',
  },
  fuzz: {
    does: 'Gives a parser random bytes. Without a target it says which there are.',
    steps: [[...tsx, 'tests/fuzz/main.ts']],
    words: ['TARGET', 0, 1],
    options: {
      '--seconds': ['N', 'how long; default 60'],
      '--seed': ['N', 'the same inputs again'],
      '--keep': [null, 'inputs that reached new code are added to the saved ones'],
      '--lines': ['N', 'of shells: how many lines in each shell; default 1000'],
      '--shell': ['NAME', 'of shells: bash, zsh, fish, dash, mksh or busybox; default each that is installed'],
      '--replay': ['FILE', 'of shells: the steps of a violation again'],
    },
    example: 'npm run fuzz -- marks --seconds 10',
    more: 'shells types random lines into real shells. In Debian: apt-get install zsh fish dash mksh busybox.',
  },
  'fuzz:all': {
    does: 'Fuzzes every target in turn, for ten minutes each, and types 10000 lines into each installed shell.',
    needs: 'product',
    steps: [[...tsx, 'tests/fuzz/every-target.ts']],
    options: {
      '--seconds': ['N', 'for each target; default 600'],
      '--lines': ['N', 'in each shell; default 10000'],
      '--seed': ['N', 'the same inputs again'],
    },
    example: 'npm run fuzz:all -- --seconds 60 --lines 500',
    more: 'Targets of ptyhost need clang. In Debian: apt-get install clang libclang-rt-14-dev.',
  },
  soak: {
    does: 'Many terminals at random work for a long time, while the daemon is killed again and again.',
    needs: 'product',
    steps: [[...tsx, 'bench/soak/main.ts']],
    options: {
      '--minutes': ['N', 'how long; default 30'],
      '--sessions': ['N', 'how many terminals; default 200'],
      '--kill-seconds': ['N', 'between kills; default 60'],
      '--seed': ['N', 'the same work again'],
    },
    example: 'npm run soak -- --minutes 5 --sessions 50',
  },
  simulate: {
    does: 'The engine under random clients, programs, delays and restarts. A failure is reported with the fewest steps that show it.',
    steps: [[...tsx, 'tests/simulate/main.ts']],
    words: ['SEED', 0, 1],
    options: {
      '--steps': ['N', 'in one run; default 300'],
      '--runs': ['N', 'number of seeds from SEED on; default 1'],
    },
    example: 'npm run simulate -- 1 --runs 50',
  },
  'test:unit': {
    does: 'The unit tests, or those in the files that are named.',
    steps: [[...vitest, '--project', 'unit', '--project', 'fuzz']],
    words: ['PATH...', 0, 1_000],
    options: forVitest,
    example: 'npm run test:unit -- packages/engine/src/waits',
  },
  'test:system': {
    does: 'The system tests, or those in the files that are named: real programs on real PTYs.',
    needs: 'product',
    steps: [[...vitest, '--project', 'system']],
    words: ['PATH...', 0, 1_000],
    options: { ...forVitest, '--shard': ['N/M', 'only part N of M'] },
    example: 'npm run test:system -- tests/e2e/turn.test.ts',
  },
  'test:namespaces': {
    does: 'The system tests of sandboxes and environments, which make namespaces of networks, mounts and processes.',
    needs: 'product',
    steps: [[...vitest, '--project', 'system', ...inNamespaces]],
    options: forVitest,
    example: 'npm run test:namespaces -- -t network',
  },
  'test:races': {
    does: 'The system tests that repeat a race, more often than npm test: take-overs, exits, closed sessions, paths that change.',
    needs: 'product',
    steps: [[...vitest, '--project', 'system', ...ofRaces]],
    options: forVitest,
    env: { AGENTPTY_RACES: '10000', AGENTPTY_CYCLES: '3000', AGENTPTY_PROGRAMS: '6000', AGENTPTY_GATE_RACES: '100000' },
    example: 'npm run test:races',
    more: 'Other numbers are in AGENTPTY_RACES, AGENTPTY_CYCLES, AGENTPTY_PROGRAMS, AGENTPTY_GATE_RACES and AGENTPTY_GATE_FLOOD of npx vitest run --project system PATH.',
  },
  'test:host': {
    does: 'The unit tests of the C host.',
    steps: [['make', '-C', 'native/ptyhost', 'test']],
    example: 'npm run test:host',
  },
  'test:sanitized': {
    does: 'The unit tests of the C host under the sanitizers of addresses and undefined behaviour.',
    steps: [['make', '-C', 'native/ptyhost', 'sanitize-test']],
    example: 'npm run test:sanitized',
  },
  'test:old-kernel': {
    does: 'The system tests of the gate with a C host whose later system calls fail as on Linux 5.10.',
    needs: 'packages',
    steps: [
      ['make', '-C', 'native/ptyhost', 'all', 'old-kernel'],
      [...vitest, '--project', 'system', 'tests/effects'],
    ],
    options: forVitest,
    env: { AGENTPTY_PTYHOST: 'native/ptyhost/build/old-kernel/ptyhost' },
    example: 'npm run test:old-kernel',
  },
  'test:aarch64': {
    does: 'The unit tests and the oracles of the C host for aarch64, built by zig, in the emulator of qemu. Names what it cannot run.',
    steps: [[...tsx, 'scripts/test-aarch64.ts']],
    example: 'npm run test:aarch64',
    more: 'In Debian: apt-get install qemu-user-static. The first run fetches zig, 355 MB.',
  },
  'test:python': {
    does: 'The tests of the Python clients.',
    needs: 'product',
    steps: [['python3', '-m', 'unittest', 'discover', '-v', '-s', 'python/tests']],
    example: 'npm run test:python',
  },
  clients: {
    does: 'Tries the product with the real clients of MCP that are here, and writes the table in docs/clients.md.',
    steps: [
      [...vitest, '--project', 'system', 'tests/clients'],
      [...tsx, 'tests/clients/write-matrix.ts'],
    ],
    example: 'npm run clients',
  },
  icons: {
    does: 'Draws the icons of the page as pixels, in packages/web/icons, with the browser of the tests.',
    needs: 'packages',
    steps: [[...tsx, 'scripts/draw-icons.ts']],
    example: 'npm run icons',
  },
  golden: {
    does: 'Writes the golden screens anew from their recordings. Read the difference as text before you commit it.',
    steps: [[...vitest, '--project', 'system', 'tests/golden']],
    env: { UPDATE: '1' },
    example: 'npm run golden',
  },
  docs: {
    does: 'Writes docs/tools.md, docs/cli.md and docs/screen.md from the tables they document.',
    steps: [[...tsx, 'scripts/docs.ts']],
    options: check,
    example: 'npm run docs -- --check',
  },
  pictures: {
    does: 'Makes the pictures of the docs from real terminals, in docs/pictures. Look at each one before you commit it.',
    needs: 'demo',
    steps: [[...tsx, 'scripts/pictures/main.ts']],
    options: { '--only': ['NAME', 'only these: page, command-line or demo'] },
    example: 'npm run pictures -- --only page',
    more: 'It needs Chromium in /usr/bin, git and vim, and the folder /tmp/shop, which must not exist.',
  },
  'docs:site': {
    does: 'Builds the documentation as a static site with search, in site/dist. Fails at a dead link.',
    steps: [
      ['npm', 'ci', '--prefix', 'site', '--no-audit', '--no-fund'],
      ['site/node_modules/.bin/vitepress', 'build', 'site'],
    ],
    example: 'npm run docs:site',
    more: 'To look at it: npx --prefix site vitepress preview site',
  },
  bench: {
    does: 'The product and its peers, driven only from outside, in one table against the goals. bench/README.md has more.',
    needs: 'product',
    steps: [['node', 'bench/main.mjs']],
    words: ['FILE...', 0, 1_000],
    options: {
      '--only': ['NAMES', 'these scenarios, as echo,ready; all is every one'],
      '--peers': ['NAMES', 'these peers, as agentpty,tmux'],
      '--reps': ['N', 'repetitions; default 3'],
      '--json': ['FILE', 'raw numbers into this file'],
      '--write': ['FILE', 'measure nothing; write a page of the raw numbers in FILE...'],
      '--dump': ['FOLDER', 'keep what came, to inspect it'],
      ...Object.fromEntries(
        ['n', 'runs', 'gap', 'limit', 'budget', 'settle', 'idle', 'echoes', 'atOnce', 'warmUp'].map((name) => [
          `--${name}`,
          ['N', 'of scenarios'],
        ]),
      ),
      ...Object.fromEntries(['sizes', 'ns', 'kinds'].map((name) => [`--${name}`, ['LIST', 'of scenarios']])),
    },
    example: 'npm run bench -- --only echo,ready --reps 1',
  },
  'bench:overview': {
    does: 'What it costs the daemon to show a thousand terminals at a glance.',
    needs: 'product',
    steps: [[...tsx, 'bench/overview/main.ts']],
    options: {
      '--terminals': ['N', 'default 1000'],
      '--busy': ['N', 'how many of them print a line a second; default 240'],
      '--seconds': ['N', 'how long each is measured; default 20'],
    },
    example: 'npm run bench:overview -- --terminals 200 --busy 50',
  },
  'bench:gym': {
    does: 'Environments against their goals: a step, a reset by each way, 64 at once, steps per second, stale observations, and what others do in the place of a step.',
    needs: 'product',
    steps: [[...tsx, 'bench/gym/main.ts']],
    options: { '--only': ['NAMES', 'of step, reset, at-once, throughput, stale, rivals; default all'] },
    example: 'npm run bench:gym -- --only step,reset',
  },
  'bench:page': {
    does: 'The page against its goals, in a real browser: first load, first paint, scrolling, keys, the wall, a page at rest, and what viewers cost a flood.',
    needs: 'product',
    steps: [[...tsx, 'bench/page/main.ts']],
    options: {
      '--only': ['NAMES', 'of load, paint, history, scroll, keys, idle, wall, flood; default all'],
      '--listed': ['N', 'number of additional terminals besides those on the wall; default 0'],
      '--rounds': ['N', 'of the flood; default 3'],
    },
    example: 'npm run bench:page -- --only keys,wall',
  },
  'bench:start': {
    does: 'How long a client waits for the first answer of `agentpty mcp`.',
    needs: 'product',
    steps: [['node', 'bench/start.mjs']],
    options: { '--runs': ['N', 'default 11'] },
    example: 'npm run bench:start -- --runs 3',
  },
  'bench:vscode': {
    does: 'The extension against its goals, in a real VS Code: activation, a new terminal, echoes, keys, a flood, a hundred terminals.',
    needs: 'product',
    steps: [[...tsx, 'bench/vscode/main.ts']],
    options: { '--only': ['NAMES', 'of activation, create, echo, keys, flood, hundred; default all'] },
    example: 'npm run bench:vscode -- --only create,keys',
  },
  'bench:waiting': {
    does: 'How well agentpty knows whose turn it is: real programs, against the kernel’s own trace.',
    needs: 'product',
    steps: [[...tsx, 'bench/waiting/main.ts']],
    options: {
      '--scenarios': ['SET', 'a file or a folder of scenarios; may be given several times'],
      '--detector': ['NAME', 'agentpty, or all; default agentpty'],
      '--repeat': ['N', 'default 1'],
      '--interval': ['NAME', 'real, or busy-machine; default real'],
      '--gate': ['NAME', 'off, journal or ask; default off'],
      '--only': ['REGEX', 'scenarios whose ids match'],
      '--lanes': [
        'N',
        'scenarios that are played at once; default 4, and 1 with --detector all or --interval busy-machine',
      ],
      '--json': ['FILE', 'raw numbers into this file'],
      '--trace': ['FILE', 'what was seen, into this file'],
    },
    example: 'npm run bench:waiting -- --only python',
  },
}
