/**
 * The tools for the editor's own terminals: list them, and run a line in one that is at its prompt. The daemon is not involved, so its checks
 * are repeated here: the policy judges the line, a person approves it if required, and secrets are masked.
 */

import { BoundedMap, type Clock, pause, TermError } from '@agentpty/protocol'
import { shownText } from '@agentpty/protocol/approvals'
import { Secrets } from '@agentpty/server/secrets'
import * as vscode from 'vscode'
import { block } from '../tools/confirmation.ts'
import { answer, asPrepared } from '../tools/register-tools.ts'
import { type ObservedTerminal, type ObservedTerminals, observedFolder, observedName } from './observed-terminals.ts'
import { listTool, runTool } from './observed-tool-words.ts'
import { assertMayRun, runObserved } from './run-observed.ts'

/** The policy's verdict on a line. */
export interface PolicyVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly rule: string
  /** The reasons for the agent and for the person. */
  readonly reason: string
  readonly personReason: string
}

export interface ObservedToolParts {
  readonly observed: ObservedTerminals
  readonly clock: Clock
  /** Applies the daemon's rules. Errors: the policy is unavailable; then nothing runs. */
  readonly judge: (line: string, cwd: string) => Promise<PolicyVerdict>
}

interface RunInput {
  readonly terminal: string
  readonly command: string
  readonly timeoutMs?: number
}

const timeoutMsDefault = 30_000
const timeoutMsMax = 53_500
/** The time for which a call waits for a person. Their answer counts for the next call, too. */
const answerMs = 45_000
const answersMax = 20
const commandsListed = 5
const commandCharactersShown = 4_000

export function registerObservedTools(parts: ObservedToolParts): vscode.Disposable {
  const answers = new BoundedMap<string, 'asked' | 'allowed' | 'denied'>(answersMax)
  const secrets = new Secrets()
  secrets.learn(process.env)
  return vscode.Disposable.from(
    vscode.lm.registerTool(listTool, {
      prepareInvocation: () => asPrepared({ doing: 'Listing the terminals of the editor', confirm: null }),
      invoke: () => answer(async () => JSON.stringify(secrets.masked(listed(parts.observed)))),
    }),
    vscode.lm.registerTool<RunInput>(runTool, {
      prepareInvocation: ({ input }) => {
        const one = parts.observed.find(input.terminal)
        const name = one === null ? input.terminal : observedName(one)
        const folder = one === null ? null : observedFolder(one)
        const where = folder === null ? `“${name}”` : `“${name}” (${folder})`
        const title = `Run this in ${where}, a terminal of the editor?`
        return asPrepared({ doing: `Running a command in ${where}`, confirm: { title, body: block(input.command) } })
      },
      invoke: ({ input }, token) =>
        answer(async () => JSON.stringify(secrets.masked(await runFor(parts, answers, input, token)))),
    }),
  )
}

function listed(observed: ObservedTerminals) {
  const terminals = observed.all.map((one) => ({
    id: one.id,
    name: observedName(one),
    pid: one.pid,
    cwd: observedFolder(one),
    state: observed.stateOf(one),
    commands: one.commands.slice(0, commandsListed).map(({ line, exitCode, isOver }) => ({ line, exitCode, isOver })),
  }))
  return { terminals }
}

async function runFor(
  parts: ObservedToolParts,
  answers: BoundedMap<string, 'asked' | 'allowed' | 'denied'>,
  { terminal, command, timeoutMs = timeoutMsDefault }: RunInput,
  token: vscode.CancellationToken,
) {
  const { observed, clock, judge } = parts
  const one = observed.find(terminal)
  if (one === null) {
    const ids = observed.all.map(({ id }) => id).join(', ')
    throw new TermError(
      'session_not_found',
      `The editor has no terminal “${terminal}”.`,
      `There are: ${ids || 'none'}.`,
    )
  }
  if (/[\n\r\0]/.test(command))
    throw new TermError('invalid_input', 'A command here is one line.', 'Use terminal_run for several.')
  assertMayRun(observed, one)
  const judged = await judge(command, observedFolder(one) ?? '/')
  if (judged.verdict === 'deny') throw new TermError('denied', `The policy refuses it: ${judged.rule}.`, judged.reason)
  if (judged.verdict === 'ask') await askPerson({ one, command, judged }, answers, clock)
  const abort = new AbortController()
  const heard = token.onCancellationRequested(() => abort.abort())
  const signal = abort.signal
  try {
    return await runObserved(observed, one, command, { clock, timeoutMs: Math.min(timeoutMs, timeoutMsMax), signal })
  } finally {
    heard.dispose()
  }
}

/** Errors: `not_approved`; `needs_approval` without an answer. An answer counts once, for this line in this terminal. */
async function askPerson(
  {
    one,
    command,
    judged,
  }: { readonly one: ObservedTerminal; readonly command: string; readonly judged: PolicyVerdict },
  answers: BoundedMap<string, 'asked' | 'allowed' | 'denied'>,
  clock: Clock,
): Promise<void> {
  const key = `${one.id}\0${command}`
  if (answers.get(key) === undefined) {
    answers.set(key, 'asked')
    void askedOf(one, command, judged).then((answer) => {
      answers.set(key, answer)
      answered.fire()
    })
  }
  await Promise.race([untilAnswered(() => answers.get(key) !== 'asked'), pause(clock, answerMs)])
  const state = answers.get(key)
  if (state !== 'asked') answers.delete(key)
  if (state === 'allowed') return
  if (state === 'denied')
    throw new TermError('not_approved', 'A person has said no.', 'Do it in another way, or ask them.')
  const hint = 'Call again with the same command once they have answered.'
  throw new TermError('needs_approval', `A person must allow it first (${judged.rule}), and has been asked.`, hint)
}

/** The notification does not take the focus. The whole line is shown before the person can allow it. */
async function askedOf(one: ObservedTerminal, command: string, judged: PolicyVerdict): Promise<'allowed' | 'denied'> {
  const name = observedName(one)
  const message = `An agent of the editor wants to run a command in “${name}” that needs your consent.`
  if ((await vscode.window.showWarningMessage(message, 'Look', 'Refuse')) !== 'Look') return 'denied'
  const detail = `${shownText(command, commandCharactersShown)}\n\n${judged.rule}: ${judged.personReason}`
  const asked = `Run this in “${name}”?`
  // Enter chooses the first button.
  const chosen = await vscode.window.showWarningMessage(asked, { modal: true, detail }, 'Refuse', 'Run It')
  return chosen === 'Run It' ? 'allowed' : 'denied'
}

const answered = new vscode.EventEmitter<void>()

function untilAnswered(isAnswered: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isAnswered()) return
      heard.dispose()
      resolve()
    }
    const heard = answered.event(look)
    look()
  })
}
