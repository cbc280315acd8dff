import { type Client, defined, invalidInput } from '@agentpty/protocol'
import { type OutputGaps, outputGaps, type WaitFor } from '@agentpty/protocol/call'
import {
  type Confidence,
  confidences,
  type DropKind,
  type Dropped,
  dropKinds,
  noneDropped,
  probabilities,
  type SessionEvent,
} from '@agentpty/protocol/session'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type CliOptions, type CommandCall, exitCode, numberFlag, textsFlag } from './command.ts'

type Single = Exclude<WaitFor, readonly unknown[]>

const plain = ['ready', 'output', 'command', 'exit', 'none'] as const

/** Conditions as people write them on a command line: `ready:high`, `text:Listening on`, `quiet:500`. */
export const waitForHelp = `CONDITION: ready, ready:${confidences.join('|')}, output, command (a shell command has ended), exit, none, text:TEXT, pattern:REGEX, quiet:MS (no output), stable:MS (no change of the screen)`

export const waitForChoices: readonly string[] = [
  ...plain,
  ...confidences.map((one) => `ready:${one}`),
  'text:',
  'pattern:',
  'quiet:',
  'stable:',
]

/** Undefined without words. Errors: `invalid_input` that names the choices. */
export function parseWaitFor(words: readonly string[]): WaitFor | undefined {
  if (words.length === 0) return undefined
  const parsed = words.map(parseOne)
  return parsed.length === 1 ? parsed[0] : parsed
}

function parseOne(word: string): Single {
  const simple = plain.find((one) => one === word)
  if (simple !== undefined) return simple
  const colon = word.indexOf(':')
  const kind = word.slice(0, colon)
  const rest = word.slice(colon + 1)
  if (kind === 'ready' && isConfidence(rest)) return { ready: rest }
  if (kind === 'text' && rest !== '') return { text: rest }
  if (kind === 'pattern' && rest !== '') return { pattern: rest }
  if (kind === 'quiet' && /^\d+$/.test(rest)) return { quietMs: Number(rest) }
  if (kind === 'stable' && /^\d+$/.test(rest)) return { stableMs: Number(rest) }
  throw invalidInput(`"${word}" is nothing to wait for.`, waitForHelp)
}

function isConfidence(word: string): word is Confidence {
  return confidences.some((one) => one === word)
}

/** A flag that takes conditions to wait for. */
export const conditionFlag = (help: string) =>
  ({ type: 'string', short: 'w', multiple: true, value: 'CONDITION', help, choices: waitForChoices }) as const

export const waitFlags = {
  wait: conditionFlag('the condition to wait for; default ready'),
  timeout: { type: 'string', value: 'MS', help: 'the longest wait; default 30000' },
} as const

export function waiting({ flags }: CommandCall) {
  return defined({
    waitFor: parseWaitFor(textsFlag(flags, 'wait')),
    waitTimeoutMs: numberFlag(flags, 'timeout'),
  })
}

type Observed = Pick<
  VerbOutput<'read'>,
  'output' | 'outcome' | 'note' | 'state' | 'kind' | 'question' | 'held' | keyof OutputGaps
>

/** Prints output unchanged; everything else a person should know goes to standard error. */
export function printObservation({ options, json }: Pick<CommandCall, 'options' | 'json'>, seen: Observed): number {
  if (json) options.print(`${JSON.stringify(seen)}\n`)
  else {
    if (seen.output !== '') options.print(seen.output.endsWith('\n') ? seen.output : `${seen.output}\n`)
    if (seen.note !== undefined) options.complain(`agentpty: ${seen.note}\n`)
    complainOfGaps(options, seen)
    if (seen.outcome === 'timeout')
      options.complain('agentpty: The time is over, and the condition does not hold yet.\n')
    if (seen.held !== undefined) options.complain(`agentpty: ${seen.held}\n`)
  }
  return codeOf(seen.outcome)
}

/** Reports what the printed output does not show. */
export function complainOfGaps({ complain }: Pick<CliOptions, 'complain'>, gaps: OutputGaps): void {
  for (const sentence of outputGaps(gaps)) complain(`agentpty: ${sentence}\n`)
}

function codeOf(outcome: VerbOutput<'read'>['outcome']): number {
  if (outcome === 'timeout' || outcome === 'needs_approval') return exitCode.timeout
  return outcome === 'exited' ? exitCode.exited : exitCode.ok
}

// `agentpty explain`: whose turn it is in a terminal, and why we think so.

interface ExplainOptions {
  readonly terminalId: string
  /** Continue to print each change of the verdict or its evidence until the program ends. */
  /** Ends the following; null: the present verdict alone. */
  readonly follow: AbortSignal | null
  readonly json: boolean
  readonly print: (text: string) => void
}

type TurnEvent = Extract<SessionEvent, { type: 'turn' }>

/** A first verdict takes a few samples: what is printed is what they show by then. */
const firstVerdictMs = 400

/** Errors: `session_not_found`. */
export async function explain(client: Client, options: ExplainOptions): Promise<void> {
  const { terminalId, follow, print } = options
  const showEvent = async (event: TurnEvent) => {
    const drops = (await client.control.status()).dropped.find(
      (one) => one.terminalId === terminalId || one.name === terminalId,
    )
    const dropped = drops?.dropped ?? noneDropped()
    print(options.json ? toJson(terminalId, event, dropped) : formatTurn(terminalId, event) + formatDropped(dropped))
  }
  const signal = follow ?? AbortSignal.timeout(firstVerdictMs)
  let last: TurnEvent | null = null
  for await (const event of client.follow(terminalId, { turn: 'evidence', signal })) {
    if (event.type !== 'turn') continue
    last = event
    if (follow !== null) await showEvent(event)
    else if (event.verdict.state !== 'busy') break
  }
  if (follow === null && last !== null) await showEvent(last)
}

function toJson(terminalId: string, { verdict, heldMs }: TurnEvent, dropped: Readonly<Dropped>): string {
  const { since: _, ...rest } = verdict
  const probability = probabilities[verdict.confidence]
  return `${JSON.stringify({ terminalId, ...rest, probability, heldMs: Math.round(heldMs), dropped })}\n`
}

/** For example: `term-3  ready, shell, certain (99.95 %), for 3 ms`, and below it the reasons. */
function formatTurn(terminalId: string, { verdict, heldMs }: TurnEvent): string {
  const { state, kind, confidence, question, evidence, rule } = verdict
  const sure = `${confidence} (${(probabilities[confidence] * 100).toFixed(2).replace(/0+$/, '').replace(/\.$/, '')} %)`
  // How long it waited before the first sample is not known.
  const held = heldMs < 1 ? [] : [`for ${duration(heldMs)}`]
  const parts = state === 'ready' ? [state, kind ?? 'other', sure, ...held] : [state]
  const asks = question === null ? [] : [`asks: ${question}`]
  const lines = [...asks, ...evidence, `rule: ${rule}`]
  return `${terminalId}  ${parts.join(', ')}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

/** Nothing when nothing was. For example: `  left out, beyond a bound: 12 links`. */
function formatDropped(dropped: Readonly<Dropped>): string {
  const parts = Object.entries(dropKinds)
    .map(([kind, what]) => [dropped[kind as DropKind], what] as const)
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
  return parts.length === 0 ? '' : `  left out, beyond a bound: ${parts.join(', ')}\n`
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`
}

// `agentpty report`: an agent's hook reports the state of its agent in the terminal the agent runs in. The report is
// the Program Status Protocol, OSC 7501, which other terminals understand too.

const states = ['idle', 'working', 'blocked', 'done', 'error', 'clear'] as const

/** A message longer than this would void the report. */
const messageBytesMax = 2_048
const controls = /[\x00-\x1f\x7f-\x9f]+/g

/** Errors: `invalid_input` for an unknown state. */
export function formatReport(state: string, message: string | undefined): string {
  if (!states.some((one) => one === state))
    throw invalidInput(`"${state}" is no state.`, `Use one of: ${states.join(', ')}`)
  const text = encode(message ?? '')
  return `\x1b]7501;state=${state}${text === '' ? '' : `:msg=${text}`}\x1b\\`
}

/** Cut at a character's end; line breaks and the like become blanks. */
function encode(message: string): string {
  const bytes = Buffer.from(message.replaceAll(controls, ' ').trim()).subarray(0, messageBytesMax)
  return Buffer.from(bytes.toString('utf8').replace(/\ufffd+$/, '')).toString('base64')
}
