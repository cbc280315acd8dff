import { TermError } from '../../contracts/errors.ts'
import type { CallContext } from '../../contracts/operation.ts'
import type { OperationInput, OperationOutput } from '../../contracts/operations.ts'
import { quote } from '../../engine/host/shell-integration.ts'
import type { FinishedCommand } from '../../engine/marks/command-tracker.ts'
import type { Session } from '../../engine/session/session.ts'
import { openSession } from './create.ts'
import { observe, promptLookMs, waitFor, waitMs } from './steps/call-session.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { type Budget, finishedIn, readText, verdictOf } from './steps/observe.ts'
import { noteBy, typeText } from './steps/type-text.ts'

type RunInput = OperationInput<'run'>
type RunOutput = OperationOutput<'run'>

export function run(engine: EngineContext, input: RunInput, context: CallContext): Promise<RunOutput> {
  return input.terminalId === undefined ? runFresh(engine, input, context) : runInShell(engine, input, context)
}

/** In a terminal of its own, which ends with the command. */
async function runFresh(engine: EngineContext, input: RunInput, context: CallContext): Promise<RunOutput> {
  const begun = engine.clock.now()
  const session = await openSession(engine, { command: input.command, cwd: input.cwd }, context)
  const ending = await waitForEnd(engine, session, { kind: 'exit' }, 0, input, context)
  const seen = await observe(session, { since: 0, ending, before: null })
  return { ...seen, terminalId: session.info.id, durationMs: duration(engine, begun) }
}

/** Typed at the prompt of a shell that goes on afterwards. */
async function runInShell(engine: EngineContext, input: RunInput, context: CallContext): Promise<RunOutput> {
  const begun = engine.clock.now()
  const session = engine.host.find(input.terminalId ?? '')
  await assertAtPrompt(session)
  const since = session.parsedTo
  const line = input.cwd === undefined ? input.command : `cd -- ${quote(input.cwd)} && ${input.command}`
  const release = session.watch()
  try {
    const { written } = await typeText(engine, session, line, { submit: true })
    // A shell that does not read must not hold the call beyond its deadline: the wait runs beside the write.
    const waiting = waitForEnd(engine, session, { kind: 'command' }, since, input, context)
    const [note, ending] = await Promise.all([noteBy(engine.clock, written, waiting), waiting])
    const budget = { maxBytes: context.outputBytes }
    const seen = await observe(session, { since, typed: line, ending, before: null, budget })
    const finished = finishedIn(session, { since, until: seen.cursor })
    const output = finished === null ? seen.output : await outputOf(session, finished, budget)
    const told = note === undefined ? {} : { note }
    return { ...seen, output, ...told, terminalId: session.info.id, durationMs: duration(engine, begun) }
  } finally {
    release()
  }
}

/** A command that asks something must not be waited for until the time is over: the question is the answer. */
async function waitForEnd(
  engine: EngineContext,
  session: Session,
  end: { readonly kind: 'exit' | 'command' },
  since: number,
  input: RunInput,
  context: CallContext,
) {
  const timeoutMs = waitMs({ waitTimeoutMs: input.timeoutMs }, context)
  return waitFor(
    engine.clock,
    session,
    { conditions: [end, { kind: 'ready', confidence: 'low' }], since, timeoutMs },
    context,
  )
}

async function outputOf(
  session: Session,
  { outputStart, outputEnd }: FinishedCommand,
  budget: Budget,
): Promise<string> {
  return (await readText(session, { since: outputStart, until: outputEnd }, budget)).output
}

async function assertAtPrompt(session: Session): Promise<void> {
  const verdict = await session.lookAtTurn(promptLookMs)
  const id = session.info.id
  if (session.exit !== null) {
    throw new TermError(
      'session_exited',
      `The program of ${id} has ended.`,
      'Leave out terminalId to run in a fresh terminal.',
    )
  }
  if (verdict.state === 'ready' && verdict.kind === 'shell' && session.commands.integrated) return
  if (session.info.shell !== null && session.commands.integrated) {
    const { evidence } = verdictOf(session, verdict)
    throw new TermError(
      'shell_busy',
      `The shell of ${id} is not at its prompt (${verdict.kind ?? verdict.state}${evidence ? `: ${evidence[0]}` : ''}).`,
      'Answer what it asks with terminal_send, wait with terminal_wait, or interrupt it with terminal_send_keys ["ctrl+c"].',
    )
  }
  throw new TermError(
    'not_a_shell',
    `${id} is not a shell that marks its commands.`,
    'Use terminal_send, or leave out terminalId to run in a fresh terminal.',
  )
}

function duration({ clock }: EngineContext, begun: number): number {
  return Math.round((clock.now() - begun) * 10) / 10
}
