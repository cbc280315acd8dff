import assert from 'node:assert/strict'
import type { Facts } from '@agentpty/protocol'
import { waitingForLine } from '@agentpty/protocol/testing'
import { describe, expect, test } from 'vitest'
import type { AgentReport } from '../agents/program-status.ts'
import { judgeTurn } from './judge-turn.ts'
import type { Rest } from './rest.ts'
import type { OutputReadings, TurnMoment } from './turn-moment.ts'

const now = 100_000

/** Overrides of the moment below, and the readings of its output. */
type Differs = Partial<Omit<TurnMoment, 'output'> & OutputReadings>

/** A moment without changes for ten seconds; the cursor is behind a question. */
function moment(facts: Partial<Facts> | null, differs: Differs = {}): TurnMoment {
  const moment = {
    now,
    exit: null,
    isPaused: false,
    facts: facts === null ? null : { ...waitingForLine, at: 90_000, ...facts },
    logEnd: 0,
    parsedTo: 0,
    awaitsTerminal: false,
    restingSince: { host: 80_000, own: now - 10_000 },
    lastOutputAt: now - 10_000,
    lastInputAt: now - 10_000,
    lastRest: null,
    lastNap: null,
    waitIsKnown: false,
    answeredSinceInput: () => true,
    inputUnfinished: false,
    escapeUntil: 0,
    atPrompt: false,
    continues: false,
    promptedSinceInput: () => false,
    commandRunning: false,
    startedBy: '',
    shell: null,
    awaitsPrompt: false,
    alternateScreen: false,
    bracketedPaste: false,
    cursorHidden: false,
    screenSinceInput: false,
    pasteSinceInput: false,
    progressing: false,
    paints: () => false,
    cursorLine: () => ({ before: 'name: ', line: 'name: ', drawn: false }),
    lineEntered: () => false,
    othersWorkedAt: 0,
    wentOn: false,
    lastLine: () => '',
    sameScreenSince: () => null,
    caretLine: () => null,
    isKnownPrompt: () => false,
    hasShownText: () => true,
    asksAbove: () => false,
    asksWithMarkAbove: () => false,
    agent: null,
    consumedAt: null,
    ...differs,
  }
  return { ...moment, output: moment }
}

const raw: Partial<Facts> = { canonical: false, echo: false }
const leader: Partial<Facts> = { waiter: 100, waiterThread: 100, foreground: 100 }
const behind = (before: string): Differs => ({ cursorLine: () => ({ before, line: before, drawn: false }) })
const emptyLine = behind('')

const ssh: Partial<Facts> = { wait: 'poll', otherFds: 1, sockets: 1, name: 'ssh' }
const rest = (more: Partial<Rest>): Rest => ({
  waiter: 200,
  foreground: 200,
  timeoutMs: null,
  timerAt: null,
  threads: 255,
  children: 0,
  mainEndless: true,
  relayed: false,
  otherFds: 2,
  sockets: 0,
  canonical: false,
  asked: true,
  asksAlways: false,
  kind: null,
  interprets: false,
  ...more,
})

describe('what it waits for', () => {
  test.each<[string, Partial<Facts>, Differs, string, string]>([
    ['a line in a cooked terminal', {}, {}, 'line', 'certain'],
    ['a line that another program has taken and waits after', { pipesOn: true, pipeRests: true }, {}, 'line', 'high'],
    ['a line without echo', { echo: false }, {}, 'password', 'certain'],
    ['one byte in a raw terminal', { ...raw, readBytes: 1 }, {}, 'key', 'certain'],
    ['many bytes in a raw terminal, behind a question', { ...raw, readBytes: 4_096 }, {}, 'line', 'certain'],
    ['many bytes in a raw terminal, with nothing asked', { ...raw, readBytes: 4_096 }, emptyLine, 'other', 'certain'],
    ['a command, behind an interpreter’s prompt', {}, behind('(gdb) '), 'repl', 'certain'],
    ['a command, behind a foreign shell’s prompt', { name: 'bash' }, behind('bash-5.2$ '), 'shell', 'certain'],
    [
      'a key, behind a pager’s prompt',
      { ...raw, readBytes: 1, ownDescriptor: true },
      behind('(END)'),
      'pager',
      'certain',
    ],
    [
      'a key, of a program that draws',
      { ...raw, wait: 'select' },
      { ...behind('File  Edit'), paints: () => true },
      'tui',
      'high',
    ],
    [
      'a line, behind a label and its default, of a program that draws',
      { ...raw, wait: 'select' },
      { ...behind('Name of the site: my-site'), paints: () => true },
      'line',
      'high',
    ],
    [
      'one of many keys',
      { ...raw, wait: 'select' },
      behind('Record it? (1/2) [ynW...], or ? for more options: '),
      'key',
      'high',
    ],
    [
      'a key, where it took one before and printed a line since',
      { ...raw, readBytes: 4_096 },
      { ...emptyLine, lastRest: rest({ kind: 'key' }) },
      'key',
      'certain',
    ],
    [
      'a key, below a line that names it',
      { ...raw, readBytes: 4_096 },
      { ...emptyLine, lastLine: () => 'Use Ctrl-c to stop a run or exit.' },
      'key',
      'certain',
    ],
    ['a line, with other threads at rest', { threads: 4 }, {}, 'line', 'high'],
    ['a line, in a terminal inside', { inner: true }, {}, 'line', 'high'],
    [
      'something far away',
      { ...raw, wait: 'poll', otherFds: 1, sockets: 1, name: 'ssh' },
      behind('$ '),
      'shell',
      'low',
    ],
    ['keys on the alternate screen', { ...raw, readBytes: 1 }, { alternateScreen: true }, 'tui', 'certain'],
    ['a line with an editor', { ...raw, readBytes: 1 }, { bracketedPaste: true }, 'line', 'certain'],
    [
      'a command with an editor',
      { ...raw, readBytes: 1 },
      { bracketedPaste: true, ...behind('run') },
      'repl',
      'certain',
    ],
    ['keys behind a question it drew, by select', { ...raw, wait: 'select' }, {}, 'line', 'high'],
    ['keys behind a prompt it drew, by select', { ...raw, wait: 'select' }, behind('>>> '), 'repl', 'high'],
    ['keys on an empty line, by select', { ...raw, wait: 'select' }, emptyLine, 'key', 'high'],
    ['the shell, at its prompt', { ...raw, ...leader }, { shell: 'sh', atPrompt: true }, 'shell', 'certain'],
    ['a shell without marks', { ...raw, ...leader, wait: 'select' }, { shell: 'sh' }, 'shell', 'high'],
    ['the shell’s own read, while a command runs', leader, { shell: 'sh', commandRunning: true }, 'line', 'certain'],
    [
      'the shell’s own read -s',
      { ...leader, echo: false },
      { shell: 'sh', commandRunning: true },
      'password',
      'certain',
    ],
    ['a key, beside other things', { ...raw, wait: 'epoll', otherFds: 3 }, { alternateScreen: true }, 'tui', 'high'],
    ['a key, in rounds', { ...raw, wait: 'poll', timeoutMs: 100 }, { alternateScreen: true }, 'tui', 'medium'],
    ['a password, hidden', { wait: 'none', readable: false, echo: false }, {}, 'password', 'high'],
    ['a line, hidden', { wait: 'none', readable: false }, {}, 'line', 'low'],
    ['something hidden, asking nothing', { wait: 'none', readable: false }, emptyLine, 'line', 'low'],
    [
      'a command, of what runs in another interpreter',
      { name: 'java' },
      { ...behind('scala> '), startedBy: 'scala -i' },
      'repl',
      'certain',
    ],
    ['a line, asked for by name', { wait: 'epoll', otherFds: 1, name: 'shop' }, behind('order> '), 'line', 'high'],
    [
      'a command, behind its own name',
      { wait: 'epoll', otherFds: 1, name: 'sqlite3' },
      behind('sqlite> '),
      'repl',
      'high',
    ],
    [
      'any key, whatever it waits with',
      { ...raw, wait: 'epoll', otherFds: 1 },
      behind('Press any key to go on'),
      'key',
      'high',
    ],
    [
      'what a program draws on a terminal inside',
      { ...raw, wait: 'select', inner: true, name: 'vim' },
      { alternateScreen: true, bracketedPaste: true, ...behind('some text') },
      'tui',
      'high',
    ],
    [
      'a question of an interpreter that edits its lines itself',
      { ...raw, readBytes: 1 },
      { lastRest: rest({ interprets: true }), ...behind('colour? ') },
      'line',
      'certain',
    ],
    [
      'a key, asked for in a line of a screen',
      { ...raw, readBytes: 1 },
      { alternateScreen: true, ...behind('Quit without saving? (y/n)') },
      'key',
      'certain',
    ],
    [
      'what a screen shows around a shell',
      { ...raw, wait: 'select', inner: true, relayHere: true, name: 'bash' },
      { alternateScreen: true, ...behind('$ ') },
      'tui',
      'high',
    ],
    ['a password that shows as stars', { ...raw, readBytes: 1 }, behind('Code: **'), 'password', 'certain'],
    ['a password in words of its own', { ...raw, readBytes: 1 }, behind('Vault key: '), 'password', 'certain'],
    ['an interpreter with its name', { name: 'bwbasic' }, behind('bwBASIC: '), 'repl', 'certain'],
    ['a line, asked for with a mark', { ...raw, wait: 'epoll', otherFds: 2 }, behind(' pattern › '), 'line', 'high'],
    [
      'something to pick, around its prompt',
      { ...raw, wait: 'select', ownDescriptor: true, name: 'fzy' },
      { ...behind('> '), paints: () => true },
      'tui',
      'high',
    ],
    [
      'the rest of a command, in a shell without marks',
      { ...raw, ...leader, readBytes: 1, name: 'zsh' },
      { shell: 'sh', lastRest: rest({ waiter: 100, kind: 'shell' }), ...behind('for> ') },
      'continuation',
      'certain',
    ],
    [
      'a key, asked for on a terminal inside',
      { ...raw, inner: true, name: 'nano', readBytes: 1 },
      { alternateScreen: true, bracketedPaste: true, ...behind('Save modified buffer? ') },
      'key',
      'high',
    ],
    [
      'a key, asked for in a drawing without a cursor',
      { ...raw, wait: 'epoll', otherFds: 2 },
      { ...emptyLine, cursorHidden: true, lastLine: () => 'Install them? Y/n' },
      'key',
      'high',
    ],
    [
      'a line, likewise',
      { ...raw, wait: 'epoll', otherFds: 2 },
      { ...emptyLine, cursorHidden: true, lastLine: () => 'Your address:' },
      'line',
      'high',
    ],
    [
      'a line, at a caret that the program draws',
      { ...raw, wait: 'epoll', otherFds: 2 },
      { ...emptyLine, cursorHidden: true, caretLine: () => ({ before: 'my-a', above: '◆  Your project?' }) },
      'line',
      'high',
    ],
    [
      'a password, likewise',
      { ...raw, wait: 'epoll', otherFds: 2 },
      { ...emptyLine, cursorHidden: true, caretLine: () => ({ before: '', above: '◆  Your token' }) },
      'password',
      'high',
    ],
    [
      'a line below a question with a mark',
      { ...raw, wait: 'epoll' },
      { ...emptyLine, asksWithMarkAbove: () => true },
      'line',
      'high',
    ],
    ['a line of a script, behind a dollar', { name: 'bash' }, behind('Price in $ '), 'line', 'certain'],
    ['a line of a script that sh runs, likewise', { name: 'sh' }, behind('Price in $ '), 'line', 'certain'],
    ['a line of a script, behind a path', { name: 'bash' }, behind('Shell [/bin/bash]> '), 'line', 'certain'],
    ['a line, behind the value that Enter stands for', { name: 'python3' }, behind('Name [bob]> '), 'line', 'certain'],
    ['a line, behind words in brackets', { name: 'python3' }, behind('(leave empty to skip) '), 'line', 'certain'],
    ['a command, behind a word in brackets', { name: 'python3' }, behind('(Pdb) '), 'repl', 'certain'],
    [
      'a command, behind the interpreter’s name and a database in brackets',
      { name: 'mariadb' },
      behind('MariaDB [(none)]> '),
      'repl',
      'certain',
    ],
    ['a command, in a shell without a line editor', { name: 'sh' }, behind('$ '), 'shell', 'certain'],
    [
      'a command of a system that a program emulates',
      { ...raw, wait: 'poll', name: 'qemu' },
      behind('/ # '),
      'shell',
      'high',
    ],
    ['a command of a boot loader', { ...raw, wait: 'select' }, behind('=> '), 'repl', 'high'],
    [
      'a key in time',
      { ...raw, wait: 'select', timeoutMs: 900 },
      behind('Press Esc to stop, booting in 9 '),
      'key',
      'medium',
    ],
    [
      'the secret once more, before anything hides it',
      { ...raw, readBytes: 1 },
      { lastRest: rest({ kind: 'password' }), ...behind('Retype: ') },
      'password',
      'certain',
    ],
    [
      'another line after a secret',
      { ...raw, wait: 'select' },
      { lastRest: rest({ kind: 'password' }), ...behind('Name: ') },
      'line',
      'high',
    ],
    [
      'a line behind a mark, with a value for it',
      { ...raw, readBytes: 1 },
      behind('? Your site › my-site'),
      'line',
      'certain',
    ],
    ['one of two, behind a mark', { ...raw, readBytes: 8 }, behind('? Use a theme? › No / Yes'), 'tui', 'certain'],
    [
      'a key of those that a line names',
      { ...raw, wait: 'epoll', otherFds: 2 },
      { ...emptyLine, paints: () => true, lastLine: () => 'press a to run again, q to quit' },
      'key',
      'high',
    ],
    ['a line beside other threads that may ask for it', { threads: 2 }, emptyLine, 'line', 'medium'],
    ['input it may not have taken', { consumed: false }, {}, 'line', 'low'],
  ])('%s', (_name, facts, rest, kind, confidence) => {
    expect(judgeTurn(moment(facts, rest))).toMatchObject({
      verdict: { state: 'ready', kind, confidence },
      recheckAt: null,
    })
  })
})

describe('not its caller’s turn, however long it lasts', () => {
  test.each<[string, Partial<Facts> | null, Differs]>([
    ['nothing is known yet', null, {}],
    ['what is known is old', {}, { logEnd: 1 }],
    ['input is on its way', { inputPending: true }, {}],
    ['input is unread', { unread: 1 }, {}],
    ['input is unread and not proved taken', { unread: 1, consumed: false }, {}],
    ['it waits for the terminal’s answer', {}, { awaitsTerminal: true }],
    ['all of its processes were stopped', {}, { isPaused: true }],
    ['it runs', { wait: 'none', state: 'R' }, {}],
    ['it sleeps on something else', { wait: 'none', state: 'S' }, {}],
    ['it is stopped', { wait: 'none', state: 'T' }, {}],
    ['it is hidden and runs', { wait: 'none', readable: false, state: 'R' }, {}],
    ['no process is in the foreground', { wait: 'none', foreground: 0 }, {}],
    ['another of its threads computes', { threads: 2, otherThreadsWork: true }, {}],
    ['more of the input is to be typed', {}, { inputUnfinished: true }],
  ])('%s', (_name, facts, rest) => {
    const { verdict, recheckAt } = judgeTurn(moment(facts, rest))
    expect(verdict).toMatchObject({ state: 'busy', kind: null })
    assert.equal(recheckAt, null)
    assert.ok((verdict.evidence[0] ?? '') !== '')
  })
})

describe('weak evidence must hold', () => {
  const rested = (ms: number): Differs => ({
    restingSince: { host: 90_000 - ms, own: now - ms },
    lastOutputAt: now - ms,
    lastInputAt: now - ms,
  })
  test.each<[string, Partial<Facts>, Differs, number]>([
    ['a poll on the terminal alone, beside other threads', { ...raw, wait: 'poll', threads: 2 }, {}, 0.5],
    ['a poll on other things too', { ...raw, wait: 'epoll', otherFds: 2 }, {}, 8],
    ['a thread that reads while another may work', { ...raw, waiterThread: 201 }, {}, 8],
    [
      'the same, on a screen that another draws',
      { ...raw, waiterThread: 201 },
      { ...emptyLine, alternateScreen: true },
      110,
    ],
    ['the main thread reads, beside one that draws', { threads: 3 }, { ...emptyLine, paints: () => true }, 110],
    ['a poll for 100 ms at a time', { ...raw, wait: 'poll', timeoutMs: 100 }, {}, 160],
    ['a poll for a minute at a time', { ...raw, wait: 'poll', timeoutMs: 60_000 }, {}, 20],
    ['a poll for half a second at a time', { ...raw, wait: 'poll', timeoutMs: 500 }, {}, 80],
    [
      'the same, on a drawn screen',
      { ...raw, wait: 'poll', timeoutMs: 500 },
      { ...emptyLine, paints: () => true },
      150,
    ],
    ['naps after keys that show as stars', { ...raw, wait: 'none', activity: 'rounds' }, behind('Code: **'), 30],
    [
      'one nap after such a key, of a program that was known to nap',
      { ...raw, wait: 'none', activity: 'sleeps' },
      { ...behind('Code: **'), lastNap: { foreground: 200, kind: 'password' } },
      30,
    ],
    [
      'naps behind a prompt that was there before',
      { ...raw, wait: 'none', activity: 'rounds' },
      { ...behind('=> '), isKnownPrompt: () => true },
      60,
    ],
    ['a poll that asks nothing', { ...raw, wait: 'poll', timeoutMs: 100 }, emptyLine, 2_250],
    [
      'the same, below a question',
      { ...raw, wait: 'poll', timeoutMs: 100 },
      { ...emptyLine, asksAbove: () => true },
      300,
    ],
    ['a hidden password prompt', { wait: 'none', readable: false, echo: false }, {}, 10],
    ['a hidden question', { wait: 'none', readable: false }, {}, 200],
    ['something hidden behind some text', { wait: 'none', readable: false }, behind('at it'), 600],
    ['a reader thread while the main thread sleeps', { waiterThread: 201, activity: 'sleeps' }, {}, 300],
    ['the same, with nothing asked', { waiterThread: 201, activity: 'sleeps' }, emptyLine, 4_000],
    ['a reader thread while the main thread runs', { waiterThread: 201, activity: 'runs' }, {}, 10_000],
    [
      'a timer that is not there at rest',
      { ...raw, wait: 'epoll', otherFds: 2, timeoutMs: 1_500 },
      { lastRest: rest({}) },
      3_000,
    ],
    [
      'a timer that prints now and then, once the prompt was back',
      { ...raw, wait: 'epoll', otherFds: 2, timeoutMs: 700 },
      { lastRest: rest({}), promptedSinceInput: () => true, ...emptyLine },
      150,
    ],
    [
      'a timer that prints often, once the prompt was back',
      { ...raw, wait: 'epoll', otherFds: 2, timeoutMs: 100 },
      { lastRest: rest({}), promptedSinceInput: () => true },
      60,
    ],
    [
      'a long timer of a program that is alone with its screen',
      { ...raw, wait: 'poll', timeoutMs: 1_500 },
      { lastRest: rest({ otherFds: 0 }), alternateScreen: true },
      150,
    ],
    [
      'the same in a line, where it may look for a key that ends its work',
      { ...raw, wait: 'poll', timeoutMs: 1_200 },
      { lastRest: rest({ otherFds: 0 }) },
      2_550,
    ],
    [
      'a thread that has taken a key and has not answered',
      { ...raw, waiterThread: 201, threads: 2 },
      { answeredSinceInput: () => false },
      250,
    ],
    [
      'a line editor that shows nothing but its indentation',
      { ...raw, wait: 'select', otherFds: 1, name: 'fish' },
      { ...behind('    '), pasteSinceInput: true, bracketedPaste: true },
      60,
    ],
    [
      'a line that is still open, where its input came before',
      { ...raw, wait: 'poll', otherFds: 2, name: 'fish' },
      { ...behind('    '), waitIsKnown: true, lastRest: rest({}) },
      250,
    ],
    [
      'keys that were explained and not asked for, where nothing else can come',
      { ...raw, wait: 'epoll', otherFds: 2 },
      { ...emptyLine },
      250,
    ],
    [
      'a timer of the main thread, which has none at rest',
      {
        ...raw,
        wait: 'epoll',
        waiterThread: 201,
        threads: 2,
        activity: 'network',
        timeoutMs: 100,
        mainTimeoutMs: 1_400,
      },
      { lastRest: rest({ timeoutMs: 100, otherFds: 0 }), alternateScreen: true },
      2_250,
    ],
    [
      'a hidden cursor where lines are echoed, with a timer: it reports and does not ask',
      { wait: 'epoll', otherFds: 2, timeoutMs: 500 },
      { ...emptyLine, cursorHidden: true, lastRest: rest({ timeoutMs: 900, asked: false, canonical: true }) },
      1_150,
    ],
    [
      'input of which its relay has passed nothing on, because it works itself',
      { consumed: false, inner: true, passing: true, wait: 'select' },
      {},
      10_000,
    ],
    [
      'a screen that a relay draws itself, with no program inside',
      { ...raw, wait: 'select', otherFds: 2, relay: true },
      { alternateScreen: true },
      400,
    ],
    [
      'a child that is not there at rest',
      { ...raw, wait: 'epoll', otherFds: 2, children: 1 },
      { lastRest: rest({}) },
      2_250,
    ],
    [
      'a thread that is not there at rest, with nothing asked',
      { ...raw, wait: 'epoll', otherFds: 2, threads: 12 },
      { lastRest: rest({ threads: 11 }), ...emptyLine },
      2_250,
    ],
    [
      'a line in raw mode that got no answer, not even a next line',
      { ...raw, wait: 'epoll', otherFds: 2, timeoutMs: 1_200 },
      { answeredSinceInput: () => false, lineEntered: () => true },
      2_250,
    ],
    [
      'a line, in a program that asks whenever it waits',
      { ...raw, wait: 'epoll', otherFds: 2 },
      { lastRest: rest({ asksAlways: true }), lineEntered: () => true, ...emptyLine },
      10_000,
    ],
    [
      'the same, in a program that takes whole statements',
      { ...raw, wait: 'epoll', otherFds: 2 },
      { lastRest: rest({ asksAlways: true, interprets: true }), lineEntered: () => true, ...emptyLine },
      2_250,
    ],
    [
      'the same, read by a thread beside the main one',
      { wait: 'read', waiterThread: 201, threads: 4 },
      { lastRest: rest({ waiter: 200, asksAlways: true }), lineEntered: () => true, ...emptyLine },
      10_000,
    ],
    [
      'the same, of statements, which a thread reads line by line also while another works',
      { wait: 'read', waiterThread: 201, threads: 4 },
      {
        lastRest: rest({ waiter: 200, asksAlways: true, interprets: true }),
        lineEntered: () => true,
        ...emptyLine,
      },
      10_000,
    ],
    ['a line that is passed on to another program', { pipesOn: true }, {}, 1_000],
    ['a helper of another session that reads', { ...raw, wait: 'none', activity: 'network' }, {}, 1_500],
    [
      'short naps of a program with a screen',
      { ...raw, wait: 'none', activity: 'rounds' },
      { alternateScreen: true },
      1_500,
    ],
    [
      'a connection that is not there at rest',
      { ...raw, wait: 'epoll', otherFds: 2, sockets: 1 },
      { lastRest: rest({}) },
      2_250,
    ],
    [
      'the same, with nothing asked',
      { ...raw, wait: 'epoll', otherFds: 2, sockets: 1 },
      { lastRest: rest({}), ...emptyLine },
      10_000,
    ],
    [
      'a poll in a terminal that it has given back',
      { wait: 'epoll', otherFds: 2 },
      { lastRest: rest({ waiter: 200 }) },
      2_000,
    ],
    [
      'a poll for half a second, without an answer',
      { ...raw, wait: 'poll', timeoutMs: 500 },
      { answeredSinceInput: () => false },
      560,
    ],
    ['a slow animation on one line', { ...raw, wait: 'select', timeoutMs: 2_000 }, behind('| working'), 2_060],
    [
      'the same words with a timer that keeps something alive',
      { ...raw, wait: 'epoll', timeoutMs: 8_000 },
      behind('Name'),
      20,
    ],
    [
      'connections and a slow timer at the first wait',
      { ...raw, wait: 'select', otherFds: 1, sockets: 1, timeoutMs: 1_000 },
      {},
      1_500,
    ],
    ['connections at the first wait', { ...raw, wait: 'epoll', otherFds: 2, sockets: 1 }, {}, 60],
    ['a poll while it shows progress', { ...raw, wait: 'poll' }, { progressing: true }, 1_500],
    ['something far away, with a known prompt', { ...raw, ...ssh }, { isKnownPrompt: () => true }, 60],
    ['something far away, with a fresh line editor', { ...raw, ...ssh }, { pasteSinceInput: true }, 30],
    ['something far away that has not answered', { ...raw, ...ssh }, { answeredSinceInput: () => false }, 2_250],
    ['a hidden program that asks nothing', { wait: 'none', readable: false }, emptyLine, 5_000],
    [
      'a hidden program in a window of a multiplexer, which reads lines and has asked nothing',
      { wait: 'none', readable: false, inner: true },
      { alternateScreen: true, ...emptyLine },
      5_000,
    ],
    [
      'a hidden program that has shown nothing, on the screen of a multiplexer',
      { wait: 'none', readable: false, inner: true, shownNothing: true },
      { alternateScreen: true, ...emptyLine },
      2_250,
    ],
    ['no proof that the input was taken', { consumed: false }, {}, 500],
  ])('%s', (_name, facts, rest, ms) => {
    const early = judgeTurn(moment(facts, { ...rest, ...rested(ms * 0.9) }))
    assert.equal(early.verdict.state, 'busy')
    assert.ok(early.recheckAt !== null && early.recheckAt > now)
    assert.equal(judgeTurn(moment(facts, { ...rest, ...rested(ms) })).verdict.state, 'ready')
  })

  test('other threads that have just stopped to work are waited for as output is', () => {
    const facts = { wait: 'read', waiterThread: 201, threads: 4 } as const
    const judged = (workedMs: number) =>
      judgeTurn(moment(facts, { ...rested(10_000), othersWorkedAt: now - workedMs })).verdict.state
    assert.equal(judged(7), 'busy')
    assert.equal(judged(8), 'ready')
  })

  test('the timer that it rested with is no round of its work', () => {
    const facts = { ...raw, wait: 'epoll', otherFds: 2, timeoutMs: 2_000 } as const
    const judged = (timerAt: number) => {
      const lastRest = rest({ timeoutMs: 7_000, timerAt })
      const since = { restingSince: { host: 90_000, own: now - 100 }, lastOutputAt: now - 100, lastInputAt: now - 100 }
      return judgeTurn(moment(facts, { ...behind('Name'), ...since, lastRest })).verdict.state
    }
    assert.equal(judged(92_000), 'ready')
    assert.equal(judged(91_000), 'busy')
  })

  test('what is written while the main thread rests in its read is another thread’s', () => {
    const judged = (lastOutputAt: number) =>
      judgeTurn(moment({ threads: 3 }, { ...emptyLine, paints: () => true, lastOutputAt })).verdict
    expect(judged(now - 200)).toMatchObject({ state: 'busy' })
    expect(judged(now - 300)).toMatchObject({ state: 'ready', confidence: 'medium' })
  })

  test('short rests are proved by the host’s clock, whatever ours says', () => {
    const facts = { ...raw, wait: 'poll' as const, otherFds: 2 }
    const restingSince = { host: 89_995, own: now - 10_000 }
    assert.equal(judgeTurn(moment(facts, { restingSince })).verdict.state, 'busy')
  })

  test('a rest that the host does not report is asked for again', () => {
    const facts = { ...raw, wait: 'poll' as const, otherFds: 2 }
    const judged = (ms: number) => judgeTurn(moment(facts, { restingSince: { host: 90_000, own: now - ms } }))
    expect(judged(9)).toMatchObject({ verdict: { state: 'busy' }, recheckAt: now + 299, asksHost: false })
    expect(judged(308)).toMatchObject({ verdict: { state: 'busy' }, recheckAt: now + 300, asksHost: true })
  })
})

test('a lone Escape counts from when the program has taken it', () => {
  const pressed = { lastInputAt: now - 200, escapeUntil: now - 50 }
  expect(judgeTurn(moment({}, { ...pressed, consumedAt: now - 20 }))).toMatchObject({
    recheckAt: now + 100,
    verdict: { state: 'busy' },
  })
  assert.equal(judgeTurn(moment({}, { ...pressed, consumedAt: now - 190 })).verdict.state, 'ready')
  assert.equal(judgeTurn(moment({}, { ...pressed, lastInputAt: now - 10, consumedAt: now - 5 })).verdict.state, 'ready')
})

test('a program that looks for the rest of a key in short rounds is given longer', () => {
  const rounds = { ...raw, wait: 'poll' as const, timeoutMs: 5 }
  const pressed = { lastInputAt: now - 600, escapeUntil: now - 450 }
  const taken = (ms: number) => judgeTurn(moment(rounds, { ...pressed, consumedAt: now - ms }))
  expect(taken(300)).toMatchObject({ recheckAt: now + 200, verdict: { state: 'busy' } })
  assert.equal(taken(501).verdict.state, 'ready')
})

test('a hint how to interrupt is not believed once nothing has moved for two seconds', () => {
  const agent: AgentReport = {
    state: 'working',
    question: null,
    current: true,
    quietMs: 0,
    motionlessMs: 2_000,
    until: null,
    confidence: 'medium',
    why: 'its screen tells how to interrupt it',
  }
  const judged = (ms: number) => judgeTurn(moment({}, { agent, lastOutputAt: now - ms, lastInputAt: now - ms }))
  expect(judged(1_900)).toMatchObject({ verdict: { state: 'busy' }, recheckAt: now + 100 })
  expect(judged(2_000).verdict).toMatchObject({ state: 'ready', kind: 'agent', confidence: 'low' })
})

test('what still draws is not at rest for want of proof', () => {
  const seen = { wait: 'none' as const, readable: false, consumed: false }
  const judged = (quietMs: number) =>
    judgeTurn(
      moment(seen, {
        ...behind('at it'),
        restingSince: { host: now - 5_000, own: now - 5_000 },
        lastInputAt: now - 5_000,
        lastOutputAt: now - quietMs,
      }),
    ).verdict.state
  assert.deepEqual([judged(400), judged(600)], ['busy', 'ready'])
})

test('the end goes before everything else', () => {
  const exit = { code: 0, signal: null }
  expect(judgeTurn(moment(null, { exit, escapeUntil: now + 5 })).verdict).toMatchObject({
    state: 'exited',
    kind: null,
    confidence: 'certain',
  })
})

test('after Escape nothing is sure until its pause is over', () => {
  const early = judgeTurn(moment({}, { escapeUntil: now + 40 }))
  assert.deepEqual([early.verdict.state, early.recheckAt], ['busy', now + 40])
  assert.equal(judgeTurn(moment({}, { escapeUntil: now })).verdict.state, 'ready')
})

describe('a remote client whose far end has shown nothing', () => {
  const silent: Differs = { ...emptyLine, hasShownText: () => false }
  test.each<[string, Partial<Facts>]>([
    ['ssh', { ...raw, ...ssh }],
    ['telnet', { ...raw, wait: 'select', otherFds: 1, sockets: 1, name: 'telnet' }],
    ['mosh-client', { ...raw, wait: 'select', otherFds: 2, sockets: 1, name: 'mosh-client', timeoutMs: 250 }],
    ['docker, which reads in a thread', { ...raw, name: 'docker', threads: 8, waiterThread: 201, activity: 'sleeps' }],
  ])('%s: busy, however long that lasts', (_name, facts) => {
    const { verdict, recheckAt } = judgeTurn(moment(facts, silent))
    expect(verdict).toMatchObject({ state: 'busy', kind: null, confidence: 'high' })
    expect(verdict.evidence.join(', ')).toContain('nothing has come from the far end yet')
    expect(recheckAt).toBeNull()
  })

  test.each<[string, Partial<Facts>, Differs]>([
    ['a terminal that still edits lines', { ...ssh, canonical: true, echo: true }, {}],
    ['a prompt that its shell marks', { ...raw, ...ssh }, { atPrompt: true }],
    ['a line editor that has begun a line', { ...raw, ...ssh }, { pasteSinceInput: true }],
    ['a screen that it has begun', { ...raw, ...ssh }, { alternateScreen: true }],
    ['another program, which waits for keys', { ...raw, wait: 'poll', name: 'nano' }, {}],
    ['a far end that has shown something before', { ...raw, ...ssh }, { hasShownText: () => true }],
  ])('ready: %s', (_name, facts, differs) => {
    expect(judgeTurn(moment(facts, { ...silent, ...differs })).verdict.state).toBe('ready')
  })
})
