/**
 * The table of evidence: the observed signs of a program, how long they must hold, and the confidence they give.
 *
 * The order of the rows is the rule: the first row whose signs and whose section's signs all hold decides. A row that
 * says busy decides until its time is over; then the rows below it are asked. docs/waiting.md shows the same rows.
 */

import type { Millis } from '@agentpty/protocol'
import type { Confidence } from '@agentpty/protocol/session'
import type { When } from './kind-signs.ts'
import type { Sign } from './signs.ts'

/** The quantity that the ms of a row count. */
export type Unit =
  /** The waiting thread rests: it stays in the same call without a single time slice. */
  | 'rest'
  /** Nothing has come out of the terminal, and nothing was typed. */
  | 'quiet'
  /** Nothing has come out but the same screen, drawn again and again, and nothing was typed. */
  | 'still'
  /** Quiet, for as long as an agent's report asks for. */
  | 'report'
  /** Quiet of a screen that would be animated if its program worked. */
  | 'motion'
  /** No input has come: the report is of before it. */
  | 'input'
  /** No input has come and no other thread has worked, whatever the program draws. */
  | 'sinceInput'
  /** No input has come and the thread rests: for that long there was no proof. */
  | 'proof'
  /** Time since the program took a lone Escape; not before the pause after the Escape is over. */
  | 'escape'
  /** An agent's report may know when it changes by itself. */
  | 'until'
  /** Only an event ends it. */
  | 'event'

/** From the program's own timer of N ms: N times `times` plus `plus` ms, at least `min` and at most `max`. */
export interface OfTimer {
  readonly times: number
  readonly plus?: Millis
  readonly min?: Millis
  readonly max?: Millis
}

/** `reported`: the agent's report brings it. */
export type Hold = Millis | OfTimer | 'reported'
/** Busy, exited, or ready with this confidence: the chance that it is right is in `probabilities`. */
export type Says = Confidence | 'reported' | 'busy' | 'exited'

export type Row = readonly [
  name: string,
  hold: Hold,
  unit: Unit,
  says: Says,
  when: When<Sign>,
  /** The reason that the verdict states after the words of the section. Observed values replace `{name}` and other placeholders. */
  reason?: string,
]

export interface Section {
  readonly title: string
  readonly when: When<Sign>
  /** The beginning of every verdict of the section. */
  readonly seen?: string
  readonly rows: readonly Row[]
}

/** Time alone does not end it. */
export const never: Millis = Number.POSITIVE_INFINITY

/** An animation draws again when its round is over. */
const oneRound: OfTimer = { times: 1, plus: 60 }
/** Output of its own timers may come again in each round. */
const partOfRound: OfTimer = { times: 0.6, min: 20, max: 150 }
/** The time within which a timer of its work may still bring output; a longer pause is taken for the end of the work. */
const twoRounds: OfTimer = { times: 2, plus: 150, max: 3_000 }

// biome-ignore format: a row is a line, in columns: name, number, unit, confidence, signs, reason.
export const evidence: readonly Section[] = [
  {
    title: 'before anything else',
    when: [],
    rows: [
      ['it has ended',            0, 'event',  'exited', ['exited'],          'the program has ended'],
      ['it is paused',        never, 'event',  'busy',   ['isPaused'],        'all of its processes were stopped'],
      ['more is to be typed', never, 'event',  'busy',   ['inputUnfinished'], 'its input is still being typed'],
      // Programs wait about this long for the rest of a key whose first byte they have read.
      ['a lone Escape',         120, 'escape', 'busy',   [],                  'it may wait for more after Escape'],
      // It counts its own rounds meanwhile, and on a busy machine each takes longer.
      ['a lone Escape, in rounds', 500, 'escape', 'busy', ['looksSoon'],      'it may wait for more after Escape'],
    ],
  },
  {
    // A program's own report counts more than its looks. The agent's report has its own times.
    title: 'it reports what it does',
    when: ['reports'],
    seen: '{report}',
    rows: [
      ['it works',                       never, 'until',  'busy',     ['reportsWork', '!mayStandStill']],
      ['a hint to interrupt',       'reported', 'motion', 'low',      ['reportsWork'],                  'but nothing moves there'],
      // It has input and still reports what it reported before: it has not taken the input for an instruction.
      ['as before the input',            1_500, 'input',  'busy',     ['!reportIsCurrent']],
      ['still as before the input', 'reported', 'report', 'low',      ['!reportIsCurrent']],
      ['idle, or a question',       'reported', 'report', 'reported', []],
    ],
  },
  {
    title: 'what must be known first',
    when: [],
    rows: [
      ['no facts',             never, 'event', 'busy', ['!known'],         'no facts from the kernel yet'],
      ['it asks the terminal', never, 'event', 'busy', ['awaitsTerminal'], 'it waits for an answer of the terminal'],
      ['old facts',            never, 'event', 'busy', ['!current'],       'something happened since the last look'],
      ['input on its way',     never, 'event', 'busy', ['inputPending'],   'input waits for the program to read it'],
      ['unread input',         never, 'event', 'busy', ['unread'],         '{does}'],
    ],
  },
  {
    title: 'it waits for something else, or works',
    when: ['!waits'],
    seen: '{does}',
    rows: [
      // It reads key by key between its naps, and shows what it has read. A runtime with many threads naps in ways of its own.
      ['keys without echo', 30, 'quiet', 'medium', ['readable', 'naps', 'raw', 'stars', '!lineEntered'], 'behind a hidden text'],
      ['keys without echo, and sleep', 60, 'quiet', 'medium', ['readable', 'sleeps', 'raw', 'stars', '!lineEntered'], 'behind a hidden text'],
      ['a secret is asked',  300, 'quiet', 'low',  ['readable', 'naps', 'raw', 'asksSecret', 'answered'], 'behind a question for a secret'],
      ['a secret, and sleep', 700, 'quiet', 'low',  ['readable', 'sleeps', 'raw', 'asksSecret', 'answered'], 'behind a question for a secret'],
      ['a key in time',       60, 'quiet', 'low',  ['readable', 'naps', 'raw', 'asksKeyInTime'], 'behind a question for a key'],
      ['its prompt is back',  60, 'quiet', 'medium', ['readable', 'comesAgain', 'answered', 'knownPrompt'], 'behind a known prompt'],
      ['a prompt',           400, 'quiet', 'low',    ['readable', 'comesAgain', 'answered', 'prompts'], 'behind what looks like a prompt'],
      // It may look for input without a pause.
      ['a prompt, and work', 1_500, 'quiet', 'low', ['readable', 'mainRuns', 'raw', 'answered', 'prompts'], 'behind what looks like a prompt'],
      // It may poll for input, or have a signal sent to it when input comes.
      ['behind a prompt', 1_500, 'quiet', 'low',  ['readable', 'comesAgain', 'asks'], 'behind what looks like a prompt'],
      ['a drawn screen',  1_500, 'quiet', 'low',  ['readable', 'naps', 'raw', 'alternateScreen', '!saysHowToEnd'], 'and has drawn its screen'],
      // A helper of another session has the terminal, as pinentry has it for gpg: no program works behind a terminal without echo.
      ['a helper reads',  1_500, 'quiet', 'low',  ['readable', 'sleeps', 'awaitsPeer', '!echoes', '!saysHowToEnd', '!askedNothingSince'], 'with echo off, so another program may read'],
      ['work',            never, 'event', 'busy', ['readable']],
      ['hidden work',     never, 'event', 'busy', ['!sleeps']],
    ],
  },
  {
    // A program of another user. Its run state and the terminal's modes stay readable.
    title: 'its calls are hidden, and it sleeps',
    when: ['!waits'],
    seen: '{name} sleeps and hides what it waits for',
    rows: [
      ['echo is off',             10, 'rest',  'high',   ['secret'],                  'with echo off'],
      ['a known prompt',          60, 'quiet', 'medium', ['answered', 'knownPrompt'], 'with a known prompt'],
      // Programs that a script has just started, and programs that ask, write something first.
      ['it has shown nothing', 2_250, 'quiet', 'low',   ['shownNothing', '!asks', '!screenBegun'],   'and has shown nothing since it began'],
      // A program whose inner terminal edits lines has drawn nothing: the screen is its relay's.
      ['the alternate screen',   250, 'quiet', 'low',    ['alternateScreen', '!linesInside'], 'and has drawn its screen'],
      ['a drawn screen',         250, 'quiet', 'low',    ['paints', '!linesInside'],  'and has drawn its screen'],
      ['nothing asked',        5_000, 'quiet', 'low',    ['blank'],                   'and asks nothing'],
      ['some text',              600, 'quiet', 'low',    ['words'],                   'behind some text'],
      ['a question',             200, 'quiet', 'low',    [],                          'behind what looks like a prompt'],
    ],
  },
  {
    title: 'it relays a terminal',
    when: ['relays'],
    seen: '{call}',
    rows: [
      ['it draws itself', 400, 'quiet', 'low', ['alternateScreen'], 'with nobody inside, and has drawn its screen'],
      ['nobody inside', 1_000, 'quiet', 'low', [],                  'with nobody inside'],
    ],
  },
  {
    title: 'a shell that marks its prompts',
    when: [],
    seen: '{call}',
    rows: [
      ['its prompt',            0, 'rest', 'certain', ['shellPrompt'], 'it has drawn its prompt'],
      ['an unfinished command', 0, 'rest', 'certain', ['shellAsksOn'], 'it asks for the rest of a command'],
    ],
  },
  {
    // Its login, or a start-up file, takes its time. Time proves nothing there: any output ends it.
    title: 'a remote client, with a silent far end',
    when: ['waits', 'farEndSilent', '!atPrompt', '!lineBegun', '!alternateScreen'],
    seen: '{call}',
    rows: [
      ['nothing has come', never, 'event', 'busy', [], 'and nothing has come from the far end yet'],
    ],
  },
  {
    // One thread reads keys while another may still work and draw.
    title: 'a thread beside the main one reads',
    when: ['reads', '!byMainThread'],
    seen: 'a thread of {call}',
    rows: [
      // Work was seen to begin, in a program that asks when it waits: it is nearly sure not to be over.
      ['main runs',                  10_000, 'quiet', 'low',    ['mainRuns'],             'its main thread runs'],
      ['progress is shown',           1_500, 'quiet', 'low',    ['progressing'],          'while it shows progress'],
      ['it has asked nothing since', 10_000, 'quiet', 'low',    ['askedNothingSince'],    'but has asked nothing since'],
      ['main sleeps, nothing asked',  4_000, 'quiet', 'low',    ['silent', 'mainSleeps'], 'its main thread sleeps'],
      ['main sleeps, something asked',  300, 'quiet', 'low',    ['mainSleeps', 'asks'],   'its main thread sleeps'],
      ['main sleeps',                 2_250, 'quiet', 'low',    ['mainSleeps'],           'its main thread sleeps'],
      ['main has a new timer',        2_250, 'quiet', 'low',    ['newMainTimer', '!promptWasBack'], 'its main thread has a new timer'],
      ['a question above',              300, 'quiet', 'low',    ['silent', 'asksAbove'],  'below a question'],
      ['nothing asked',               2_250, 'quiet', 'low',    ['silent'],               'but asks nothing'],
      // Another thread draws what it does, most often ten times a second.
      ['others draw',                   110, 'quiet', 'medium', ['draws', '!asks'],         'beside one that draws'],
      ['an answer',                       8, 'quiet', 'high',   ['answered']],
      ['no answer yet',                 250, 'quiet', 'low',    [],                       'without an answer yet'],
    ],
  },
  {
    title: 'the main thread reads',
    when: ['reads'],
    seen: '{call}',
    rows: [
      // The program that reads from the pipe may be at work, and the question on the screen may be another program's.
      ['it passes on what it reads', 1_000, 'quiet', 'low', ['pipesOn', '!pipeRests'], 'and passes on what it reads'],
      ['who takes it rests',    0, 'rest',  'high',    ['pipesOn', '!threads'], 'and whoever takes what it reads rests'],
      ['an inner terminal',     8, 'quiet', 'high',    ['inner']],
      ['the only thread',       0, 'rest',  'certain', ['!threads']],
      ['others, asked nothing since', 10_000, 'quiet', 'low', ['askedNothingSince'], 'beside other threads, but has asked nothing since'],
      // Another thread may be about to ask.
      ['others have worked',   60, 'quiet', 'medium',  ['silent', 'othersWorked'], 'beside other threads, and asks nothing'],
      ['others, nothing asked', 8, 'quiet', 'medium',  ['silent'],  'beside other threads, and asks nothing'],
      // They have written since it began to wait, and may write more.
      ['others write, a question', 20, 'quiet', 'medium', ['othersWrite', 'asks'], 'while another thread writes'],
      ['others write',        250, 'quiet', 'medium',  ['othersWrite'], 'while another thread writes'],
      ['others draw',         110, 'quiet', 'medium',  ['draws', '!asks'], 'beside one that draws'],
      ['others at rest',        2, 'rest',  'high',    []],
    ],
  },
  {
    // Only the far end's marks, its line editor and the screen can show it.
    title: 'a remote client polls',
    when: ['remote'],
    seen: '{call} and for the far end',
    rows: [
      ['a drawn prompt',           5, 'quiet', 'high',   ['atPrompt'],        'its shell has drawn its prompt'],
      ['progress is shown',    2_250, 'quiet', 'low',    ['progressing'],     'which shows progress'],
      ['no answer yet',        2_250, 'quiet', 'low',    ['!answered'],       'which has not answered'],
      ['a line editor',           30, 'quiet', 'medium', ['lineBegun'],       'where a line editor has begun a line'],
      ['a known prompt',          60, 'quiet', 'medium', ['knownPrompt'],     'where a known prompt stands'],
      ['the alternate screen',   250, 'quiet', 'low',    ['alternateScreen'], 'which has drawn its screen'],
      ['nothing asked',        2_250, 'quiet', 'low',    ['blank'],           'which has asked nothing'],
      ['some text',              700, 'quiet', 'low',    ['words'],           'which has gone quiet'],
      ['a question',             250, 'quiet', 'low',    [],                  'where a prompt stands'],
    ],
  },
  {
    // It may be a pause in other work: the more it waits for, the longer it must hold.
    title: 'it polls',
    when: [],
    seen: '{call}',
    rows: [
      ['main runs',            10_000, 'quiet', 'low', ['mainRuns'],     'its main thread runs'],
      ['main has a new timer',  2_250, 'quiet', 'low', ['newMainTimer', '!promptWasBack'], 'its main thread has a new timer'],
      ['progress is shown',     1_500, 'quiet', 'low', ['progressing'],  'while it shows progress'],
    ],
  },
  {
    // A program that works draws something new, a clock or a counter at least.
    title: 'it polls, and draws the same screen again and again',
    when: ['raw', 'workTimer', 'redraws'],
    seen: '{call}',
    rows: [
      ['its screen stands still', 1_500, 'still', 'low', [], 'and draws the same screen again and again'],
    ],
  },
  {
    title: 'it polls its terminal alone, without end',
    when: ['endless', '!others'],
    seen: '{call}',
    rows: [
      ['an inner terminal',      8, 'quiet', 'high', ['inner']],
      ['beside other threads', 0.5, 'rest',  'high', ['threads']],
      ['the only thread',        0, 'rest',  'high', []],
    ],
  },
  {
    // An event loop waits and works in the same place: there a prompt that was drawn again must join it.
    title: 'it polls where its input came before',
    when: ['knownWait'],
    seen: '{call}',
    rows: [
      ['nothing else',                     0.5, 'rest', 'high',   ['byMainThread', '!others', '!workTimer'],  'where its input came before'],
      ['a known prompt',                   0.5, 'rest', 'high',   ['answered', 'knownPrompt', 'endless', '!sockets'], 'where its input came before, behind a known prompt'],
      ['a known prompt, and other things', 0.5, 'rest', 'medium', ['answered', 'knownPrompt'],            'where its input came before, behind a known prompt'],
    ],
  },
  {
    // Output since then comes without input. This row is above the sections below, because asking notices a prompt.
    title: 'it polls, and its prompt was back',
    when: ['promptWasBack', '!leftRaw'],
    seen: '{call}',
    rows: [
      ['new work',      partOfRound, 'quiet', 'low', ['newWork'], 'and its prompt was back'],
      ['nothing asked', partOfRound, 'quiet', 'low', ['silent'],  'and its prompt was back'],
    ],
  },
  {
    // Its input stays open while it works, and nothing else shows that it does.
    title: 'it polls, and has asked nothing since the last line',
    when: ['askedNothingSince', '!lineBegun'],
    seen: '{call}',
    rows: [
      ['it asks when it waits', 10_000, 'quiet', 'low', [], 'but has asked nothing since'],
    ],
  },
  {
    // Prompt libraries draw the mark of a question that is answered anew.
    title: 'it polls, and has asked with a mark',
    when: ['raw', 'answered', 'asksWithMark', '!endless'],
    seen: '{call}',
    rows: [
      ['a question', 60, 'quiet', 'medium', [], 'behind a question with a mark'],
    ],
  },
  {
    // It had the terminal raw when it waited, and has given it back.
    title: 'it polls, and has left raw mode',
    when: ['leftRaw'],
    seen: '{call}',
    rows: [
      ['nothing asked',   10_000, 'quiet', 'low', ['silent'], 'but has left raw mode'],
      ['something asked',  2_000, 'quiet', 'low', [],         'but has left raw mode'],
    ],
  },
  {
    title: 'it polls, with a connection that it does not have at rest',
    when: ['newConnection'],
    seen: '{call}',
    rows: [
      ['nothing asked',   10_000, 'quiet', 'low', ['silent'], 'on a new connection too'],
      // It has drawn the prompt since the line was entered: what goes on there is not what it was asked for.
      ['a prompt',           250, 'quiet', 'low', ['answered', 'prompts'], 'on a new connection too, behind a prompt'],
      ['something asked',  2_250, 'quiet', 'low', [],         'on a new connection too'],
    ],
  },
  {
    title: 'it polls, with a thread or a child that it does not have at rest',
    when: ['newWorker', '!knownPrompt'],
    seen: '{call}',
    rows: [
      // It may stay for good, in a pool or as a server: time counts from the input, so that no clock begins it anew.
      ['a prompt',      250, 'quiet',      'low', ['answered', 'prompts'], 'with a new thread or child, behind a prompt'],
      ['it may work', 2_250, 'sinceInput', 'low', [], 'with a new thread or child'],
    ],
  },
  {
    title: 'it polls, with a timer that it does not have at rest',
    when: ['newTimer'],
    seen: '{call}',
    rows: [
      ['nothing asked',           10_000, 'quiet', 'low', ['silent'],                 'with a new timer of {timeoutMs} ms'],
      // No other thread or process works for it, and it has a screen: a long timer only redraws that.
      ['a screen alone, N above 1,000',       150, 'quiet', 'low', ['timerOver1000', 'alone', 'alternateScreen'], 'with a new timer of {timeoutMs} ms'],
      ['something asked',      twoRounds, 'quiet', 'low', [],                         'with a new timer of {timeoutMs} ms'],
    ],
  },
  {
    title: 'it polls, and nothing was asked',
    when: ['silent'],
    seen: '{call}',
    rows: [
      ['a question above',     300, 'quiet', 'low', ['asksAbove', 'askedAtRest'], 'below a question'],
      ['the same, not as at rest', 300, 'quiet', 'low', ['asksAbove', '!asAtRest'],  'below a question'],
      ['a line editor',         60, 'quiet', 'medium', ['lineBegun', 'raw'],        'where a line editor has begun a line'],
      // It has shown what its keys do, and only a key can make it continue.
      ['keys alone count',     250, 'quiet', 'low', ['firstWait', 'raw', 'endless', '!sockets', '!children', '!wentOn'], 'for keys'],
      ['an open line',         250, 'quiet', 'low', ['knownWait', 'raw', 'endless', '!sockets', '!children', '!wentOn'], 'where its input came before'],
      ['it asks at rest',    2_250, 'quiet', 'low', ['askedAtRest'],              'but asks nothing'],
      ['not as at rest',     2_250, 'quiet', 'low', ['!asAtRest'],                'but asks nothing'],
    ],
  },
  {
    title: 'it polls for the first time',
    when: ['firstWait'],
    seen: '{call}',
    rows: [
      // The program may still be loading.
      ['connections, N from 1,000', 1_500, 'quiet', 'low', ['sockets', 'timer1000'], 'and on {sockets} connections'],
    ],
  },
  {
    // Its prompt is back and nothing is new, so the timers and connections that it has are those of its rest.
    title: 'it polls behind a known prompt',
    when: ['answered', 'knownPrompt'],
    seen: '{call}',
    rows: [
      ['no timer, no connections', 10, 'quiet', 'high',   ['endless', '!sockets'], 'behind a known prompt'],
      ['timers or connections',    10, 'quiet', 'medium', [],                      'behind a known prompt'],
    ],
  },
  {
    title: 'it polls without end, and for other things',
    when: ['endless'],
    seen: '{call}',
    rows: [
      ['threads, no answer yet', 60, 'quiet', 'medium', ['threads', '!answered'], 'without an answer yet'],
      ['new connections',        60, 'quiet', 'medium', ['sockets', '!asAtRest'], 'and on {sockets} connections'],
      ['its screen',                    8, 'rest', 'high',  ['byMainThread', 'alternateScreen'], 'and for {otherFds} other things'],
      ['its first wait',                8, 'rest', 'high',  ['byMainThread', 'firstWait'],       'and for {otherFds} other things'],
      // A pool of its own may work on what was asked, behind words that are no prompt of it.
      ['the main thread polls',         8, 'rest', 'medium', ['byMainThread'],                   'and for {otherFds} other things'],
      // The work of another thread on the keys cannot be seen.
      ['another thread polls',    8, 'rest',  'medium', [],                       'and for {otherFds} other things'],
    ],
  },
  {
    title: 'it polls in rounds of N ms',
    when: [],
    seen: '{call}',
    rows: [
      ['keys without echo',                 20, 'quiet', 'medium', ['raw', 'stars', '!lineEntered'],    'behind a hidden text'],
      // It draws the time left again and again.
      ['a key in time',                     60, 'quiet', 'medium', ['asksKeyInTime'],                   'at most {timeoutMs} ms at a time'],
      // Nearly every program goes to the next line before anything else.
      ['no answer to a line',         2_250, 'quiet', 'low',    ['raw', 'lineEntered', '!answered'], 'without an answer yet'],
      // The timer that it rested with is no round: it goes off when it would have.
      ['the timer of its rest, N from 1,000', 60, 'quiet', 'medium', ['restTimer', 'timer1000', 'answered'], 'at most {timeoutMs} ms at a time'],
      ['nothing asked',           twoRounds, 'quiet', 'low',    ['silent', 'workTimer'],             'at most {timeoutMs} ms at a time'],
      // Words on one line that are no prompt may be an animation, however slow.
      ['some text, N up to 3,000', oneRound, 'quiet', 'medium', ['wordsOnLine', 'workTimer'],        'at most {timeoutMs} ms at a time'],
      // A screen with a longer round has a clock or a refresh; so has a program at its prompt.
      ['N from 1,000',                   20, 'quiet', 'medium', ['timer1000'],                       'at most {timeoutMs} ms at a time'],
      ['N from 250, a question',         80, 'quiet', 'medium', ['timer250', 'answered', 'asks'],    'at most {timeoutMs} ms at a time'],
      ['N from 250, an answer',         150, 'quiet', 'medium', ['timer250', 'answered', '!silent'], 'at most {timeoutMs} ms at a time'],
      ['any other N',              oneRound, 'quiet', 'medium', [],                                  'at most {timeoutMs} ms at a time'],
    ],
  },
]

/** The section of the rows below. */
export const whateverTheKernelShows = { title: 'whatever the kernel shows' }

/** The times after which missing proof that the input was taken is accepted, whatever row decides. */
// biome-ignore format: as above.
export const unproven: readonly Row[] = [
  ['no proof, its relay works',      10_000, 'proof', 'low', ['!consumed', 'passing'], 'no proof that the input was passed on'],
  ['no proof that the input was taken', 500, 'proof', 'low', ['!consumed'],            'no proof that the input was taken'],
]

/** While it holds, no row that needs time is believed. */
// biome-ignore format: as above.
export const otherThreadsWork: Row = [
  'another thread works', never, 'event', 'busy', ['otherThreadsWork'], 'another thread of {name} uses the processor',
]
