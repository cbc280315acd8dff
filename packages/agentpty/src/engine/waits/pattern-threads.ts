/**
 * Threads that look for patterns which take their time, so that nobody else's is taken.
 *
 * They are started when they are needed, do one look after the other, and end themselves what takes too long. One is
 * kept for the next time; none holds the process.
 */

import { Worker } from 'node:worker_threads'
import { TermError } from '../../contracts/errors.ts'
import { patternLongMsMax, patternLooksMax, patternThreadsMax } from '../../contracts/limits.ts'
import { type Match, matchScript, type PatternLook } from './pattern-look.ts'

/** Text and not a file: it must run from a bundle as from the sources. */
const threadScript = `
  const { parentPort } = require('node:worker_threads');
  const { createContext, Script } = require('node:vm');
  const sandbox = { pattern: '', text: '', after: 0, linewise: false, found: [] };
  const context = createContext(sandbox);
  const script = new Script(${JSON.stringify(matchScript)});
  parentPort.on('message', (look) => {
    let found = null;
    try {
      Object.assign(sandbox, look);
      script.runInContext(context, { timeout: ${patternLongMsMax} });
      found = sandbox.found;
    } catch {}
    parentPort.postMessage(found);
    Object.assign(sandbox, { text: '', found: [] });
  });
`

/** A text of a quarter of a megabyte and its lines are a few; what a pattern may waste is bounded here too. */
const threadHeapMb = 64

interface Job {
  readonly look: PatternLook
  readonly done: (found: readonly Match[] | null) => void
}

const queue: Job[] = []
const idle: Worker[] = []
let threads = 0

/** Null when it has taken too long. Errors: `limit_reached`. */
export function lookInThread(look: PatternLook): Promise<readonly Match[] | null> {
  if (queue.length >= patternLooksMax) {
    throw new TermError(
      'limit_reached',
      `${patternLooksMax} searches for patterns that take long wait already.`,
      'Try again in a moment, or look for a plain text.',
    )
  }
  return new Promise((done) => {
    queue.push({ look, done })
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

function run({ look, done }: Job, thread: Worker): void {
  const onMessage = (found: readonly Match[] | null) => {
    thread.off('error', onError)
    done(found)
    retire(thread)
    startNext()
  }
  // A look that ends its thread, because it wants more memory than there is, takes too long as well.
  const onError = () => {
    thread.off('message', onMessage)
    done(null)
    threads -= 1
    startNext()
  }
  thread.once('message', onMessage)
  thread.once('error', onError)
  thread.ref()
  thread.postMessage(look)
}

/** What nobody needs now: one is kept. */
function retire(thread: Worker): void {
  if (queue.length > 0 || idle.length === 0) {
    thread.unref()
    idle.push(thread)
    return
  }
  threads -= 1
  void thread.terminate()
}
