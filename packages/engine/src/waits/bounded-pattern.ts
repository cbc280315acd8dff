import { createContext, Script } from 'node:vm'
import { Worker } from 'node:worker_threads'
import {
  invalidInput,
  limitReached,
  patternLongMsMax,
  patternQueueMax,
  patternShortMsMax,
  patternThreadsMax,
  patternWallMsMax,
  searchMatchesMax,
} from '@agentpty/protocol'
import { sequence } from '@agentpty/protocol/escapes'

/**
 * Threads that search for patterns which take long, so that no other session waits.
 *
 * They are started when they are needed, do one search after the other, and end a search that takes too long. One is
 * kept for the next time; none keeps the process alive.
 */
export interface PatternSearch {
  readonly pattern: string
  readonly text: string
  /** Only matches that end after this index count. */
  readonly after: number
  /** Each line is searched on its own, for the indexes of all lines that match. */
  readonly linewise: boolean
  readonly ignoreCase?: boolean
  /** With `linewise`: all matches of each line, with its number. */
  readonly isEvery?: boolean
}

/** Indexes into the text; of a linewise search, the number of the line in both. */
export interface Match {
  readonly start: number
  readonly end: number
  /** Only of {@link PatternSearch.isEvery}: the number of the line, in which `start` and `end` are indexes. */
  readonly line?: number
}

interface PatternSandbox extends PatternSearch {
  readonly found: readonly Match[]
}

/** The result of a search in a thread; `found` is null when it has taken too long. */
interface ThreadResult {
  readonly found: readonly Match[] | null
  /** Processor time, as far as the system reports it. */
  readonly ms: number
}

/** Matches of a piece of rows that are returned; a piece of 32 KiB seldom has more words. */
const lineMatchesMax = 4_000

/** A pattern is data here and never code. A function, because what a context holds is slow to reach. */
const matchScript = `
  found = ((pattern, text, after, linewise, ignoreCase, isEvery) => {
    const found = [];
    const fold = ignoreCase ? 'i' : '';
    if (linewise) {
      const expression = new RegExp(pattern, fold + (isEvery ? 'g' : ''));
      const lines = text.split('\\n');
      for (let line = 0; line < lines.length; line++) {
        if (!isEvery) {
          if (expression.test(lines[line])) found.push({ start: line, end: line });
          continue;
        }
        for (const match of lines[line].matchAll(expression)) {
          if (match[0] !== '') found.push({ start: match.index, end: match.index + match[0].length, line });
          if (found.length >= ${lineMatchesMax}) return found;
        }
      }
      return found;
    }
    for (const match of text.matchAll(new RegExp(pattern, 'gm' + fold))) {
      const end = match.index + match[0].length;
      if (end > after) found.push({ start: match.index, end });
      if (found.length >= ${searchMatchesMax}) break;
    }
    return found;
  })(pattern, text, after, linewise, ignoreCase, isEvery);
`

/** Share of the time that a search may have: a thread that ran for less was kept from running. Harmless patterns need a tenth. */
const starvedShare = 0.3

/**
 * Text and not a file: it must run from a bundle as from the sources. Time-outs are wall time, and on a busy machine a
 * thread may hardly run within one: then it is given longer, until it has had a share of it.
 */
const threadScript = `
  const { readFileSync } = require('node:fs');
  const { parentPort } = require('node:worker_threads');
  const { createContext, Script } = require('node:vm');
  const sandbox = { pattern: '', text: '', after: 0, linewise: false, ignoreCase: false, isEvery: false, found: [] };
  const context = createContext(sandbox);
  const script = new Script(${JSON.stringify(matchScript)});
  const cpuMs = () => {
    try {
      return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
    } catch {
      return performance.now();
    }
  };
  const match = (timeout) => {
    const begun = cpuMs();
    let found = null;
    let isTimeout = false;
    try {
      script.runInContext(context, { timeout });
      found = sandbox.found;
    } catch (error) {
      isTimeout = error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    }
    const ms = cpuMs() - begun;
    const isStarved = isTimeout && ms < ${patternLongMsMax * starvedShare} && timeout < ${patternWallMsMax};
    return isStarved ? match(Math.min(timeout * 4, ${patternWallMsMax})) : { found, ms };
  };
  parentPort.on('message', (asked) => {
    Object.assign(sandbox, { ignoreCase: false, isEvery: false }, asked);
    parentPort.postMessage(match(${patternLongMsMax}));
    Object.assign(sandbox, { text: '', found: [] });
  });
`

/** A text and its lines need less; what a pattern may waste is bounded here too. */
const threadHeapMb = 64

interface Job {
  readonly search: PatternSearch
  readonly done: (result: ThreadResult) => void
}

const queue: Job[] = []
const idle: Worker[] = []
let threads = 0

/** Errors: `limit_reached`. */
function matchInThread(search: PatternSearch): Promise<ThreadResult> {
  if (queue.length >= patternQueueMax) {
    throw limitReached(
      `${patternQueueMax} searches for patterns that take long wait already.`,
      'Try again in a moment, or look for a plain text.',
    )
  }
  return new Promise((done) => {
    queue.push({ search, done })
    startNext()
  })
}

function startNext(): void {
  if (queue.length === 0 || (idle.length === 0 && threads >= patternThreadsMax)) return
  const job = queue.shift()
  if (job !== undefined) run(job, idle.pop() ?? openThread())
}

function openThread(): Worker {
  threads += 1
  return new Worker(threadScript, { eval: true, resourceLimits: { maxOldGenerationSizeMb: threadHeapMb } })
}

function run({ search, done }: Job, thread: Worker): void {
  const onMessage = (result: ThreadResult) => {
    thread.off('error', onError)
    done(result)
    retire(thread)
    startNext()
  }
  // A search that ends its thread, because it wants more memory than there is, takes too long as well.
  const onError = () => {
    thread.off('message', onMessage)
    done({ found: null, ms: patternLongMsMax })
    threads -= 1
    startNext()
  }
  thread.once('message', onMessage)
  thread.once('error', onError)
  thread.ref()
  thread.postMessage(search)
}

/** Ends a thread that no search needs now, except for one that is kept idle. */
function retire(thread: Worker): void {
  if (queue.length > 0 || idle.length === 0) {
    thread.unref()
    idle.push(thread)
    return
  }
  threads -= 1
  void thread.terminate()
}

// Callers' regular expressions, bounded in time: a pattern that backtracks for ever must not stop any session.
//
// Nearly all searches end on the spot within a short time. A longer one is done again in a thread of its own,
// where it costs no other session's time, and refused when that takes too long as well. V8 checks for interrupts while it backtracks, so a script's time-out ends it.

const unset = { ignoreCase: false, isEvery: false }
const sandbox: PatternSandbox = { pattern: '', text: '', after: 0, linewise: false, ...unset, found: [] }
const context = createContext(sandbox)
const script = new Script(matchScript)

/** Errors: `invalid_input` when it is no regular expression. */
export function checkPattern(pattern: string): void {
  try {
    new RegExp(pattern, 'gm')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidInput(
      `Not a regular expression: ${reason}.`,
      'Escape special characters with \\, or use a plain text condition.',
    )
  }
}

/** The first matches that end after `after`; null when that takes too long here. Errors: `invalid_input` for an invalid expression. */
export function matchBriefly(search: PatternSearch): readonly Match[] | null {
  checkPattern(search.pattern)
  try {
    Object.assign(sandbox, unset, search)
    script.runInContext(context, { timeout: patternShortMsMax })
    return sandbox.found
  } catch {
    // The search has taken too long, or the pattern is too large to be compiled: the thread finds out which.
    return null
  } finally {
    Object.assign(sandbox, { text: '', found: [] })
  }
}

/** The same, with all the time that a pattern may have. Errors: `invalid_input` when that is not enough. */
export async function matchLong(search: PatternSearch): Promise<ThreadResult & { readonly found: readonly Match[] }> {
  const { found, ms } = await matchInThread(search)
  if (found !== null) return { found, ms }
  throw invalidInput(
    `The pattern ${JSON.stringify(search.pattern)} takes longer than ${patternLongMsMax} ms to match.`,
    'Avoid nested repetition such as (a+)+, or look for a plain text.',
  )
}

interface MatchingLines {
  /** Indexes of the lines. */
  readonly hits: readonly number[]
  /** Time spent in a thread. */
  readonly ms: number
}

export interface LinePattern {
  readonly pattern: string
  readonly ignoreCase?: boolean
}

/** The lines that match. Errors: as {@link matchLong}. */
export async function matchingLines(sought: LinePattern, lines: readonly string[]): Promise<MatchingLines> {
  const { found, ms } = await matchLines({ ...sought, text: lines.join('\n'), after: -1, linewise: true })
  return { hits: Array.from(found, ({ start }) => start), ms }
}

/** All matches that are not empty, up to a bound, each with the number of its line. Errors: as {@link matchLong}. */
export async function matchesInLines(
  sought: LinePattern,
  lines: readonly string[],
): Promise<readonly Required<Match>[]> {
  const search = { ...sought, text: lines.join('\n'), after: -1, linewise: true, isEvery: true }
  const { found } = await matchLines(search)
  return Array.from(found, ({ start, end, line = 0 }) => ({ start, end, line }))
}

async function matchLines(search: PatternSearch): Promise<ThreadResult & { readonly found: readonly Match[] }> {
  const brief = matchBriefly(search)
  return brief === null ? matchLong(search) : { found: brief, ms: 0 }
}

/** Control characters but tab and line feed go as well. */
const unsearched = new RegExp(String.raw`${sequence}|[\x00-\x08\x0b-\x1f\x7f]`, 'g')

/** A mark of the byte order is a character like any other: whether a line has it must not depend on the piece that is read. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Output as searchable text: escape sequences and carriage returns gone, every line feed kept, nothing else changed. */
export function searchableText(bytes: Uint8Array): string {
  return decoder.decode(bytes).replace(unsearched, '')
}
