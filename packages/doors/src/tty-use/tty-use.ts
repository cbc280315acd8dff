import { BoundedMap, defined, isTermError, type ServerClient, sendBytesMax } from '@agentpty/protocol'
import { gapLines, type Observation, waitTimeoutMs } from '@agentpty/protocol/call'
import { inputJsonSchema, type ToolAnswer, type ToolCall, type Toolset } from '@agentpty/protocol/mcp'
import * as z from 'zod'
import { closeIfOpen, withLastBlanks } from '../parts/aside.ts'
import { parseLenient } from '../parts/lenient-arguments.ts'

// The tool of `--toolset tty-use`: one terminal in one tool, used a step at a time.

const TtyUseInput = z.strictObject({
  /** Text to type, with Enter after it; beside keys it is typed without Enter, and the keys follow. */
  input: z.string().max(sendBytesMax).optional(),
  /** Keys to press, one after the other. */
  keys: z.array(z.string()).min(1).max(100).optional(),
  /** Like `env.step(action)`: a text is `input`, a list is `keys`. */
  action: z.union([z.string().max(sendBytesMax), z.array(z.string()).min(1).max(100)]).optional(),
  /** Begin with a fresh shell. */
  reset: z.boolean().optional(),
  waitTimeoutMs,
})

const ttyUseExample = { input: 'python3 -m pdb program.py' }

/** Limit of callers whose terminal is remembered. The oldest is evicted first; its terminal continues to run. */
const callersMax = 256

const tool = {
  name: 'tty_use',
  title: 'Use the terminal',
  description:
    'Type a line into your terminal and get what it shows once the program waits for input again: a shell, or any REPL, debugger or prompt you have started in it. The terminal keeps its state between calls. keys presses keys (["ctrl+c"], ["up","enter"]), after input where both are given, which then has no Enter of its own; action is either. Without input or keys you only look; with waitTimeoutMs you wait for the program. reset begins with a fresh shell.',
  inputSchema: inputJsonSchema(TtyUseInput),
  becomes: ['create'],
  annotations: { title: 'Use the terminal', readOnlyHint: false, destructiveHint: true },
} as const

/** A caller's terminal, and how many steps it has taken since its shell began. */
interface Episode {
  readonly terminalId: string
  readonly step: number
}

interface Opened {
  readonly terminalId: string
  readonly seen: Observation
}

/**
 * The door of tty-use: one terminal per caller, and one tool that types into it and returns its state when the program
 * waits for input again. `reset` and `step` are those of a training environment, and so are `step`, `done` and `info` of
 * its result: without input it only reads the screen, or waits, which is no step.
 */
export function makeTtyUse(): Toolset {
  const episodes = new BoundedMap<string, Episode>(callersMax)

  async function open({ client, caller, signal }: ToolCall): Promise<Opened> {
    const { terminalId, ...seen } = await client.call('create', {}, { signal })
    episodes.set(caller, { terminalId, step: 0 })
    return { terminalId, seen }
  }

  async function step(input: ReturnType<typeof parse>, call: ToolCall): Promise<Observation> {
    const known = episodes.get(call.caller)?.terminalId
    if (input.reset && known !== undefined) await closeIfOpen(call.client, known)
    const opened = known === undefined || input.reset ? await open(call) : null
    const terminalId = opened?.terminalId ?? known ?? ''
    const wait = defined({ waitTimeoutMs: input.waitTimeoutMs })
    const { signal, progress } = call
    const context = defined({ signal, progress })
    const isStep = input.keys !== undefined || input.input !== undefined
    if (isStep) episodes.set(call.caller, { terminalId, step: (episodes.get(call.caller)?.step ?? 0) + 1 })
    if (input.keys !== undefined) {
      const isTyped = input.input !== undefined && input.input !== ''
      const typed = { terminalId, text: input.input ?? '', newline: false, waitFor: 'none' as const }
      if (isTyped) await call.client.call('send', typed, context)
      const seen = await call.client.call('sendKeys', { terminalId, keys: input.keys, ...wait }, context)
      // The line that was typed ends with the first key, before anything is printed.
      return isTyped ? { ...seen, output: seen.output.replace(/^\n/, '') } : seen
    }
    if (input.input !== undefined) return call.client.call('send', { terminalId, text: input.input, ...wait }, context)
    if (opened !== null) return opened.seen
    if (input.waitTimeoutMs === undefined) return readScreen(call.client, terminalId)
    const { terminals } = await call.client.call('wait', { terminalIds: [terminalId], ...wait }, context)
    return { ...(await readScreen(call.client, terminalId)), ...defined({ outcome: terminals[0]?.outcome }) }
  }

  /** With the blank after a prompt. */
  async function shown(input: ReturnType<typeof parse>, call: ToolCall): Promise<Observation> {
    const seen = await step(input, call)
    const terminalId = episodes.get(call.caller)?.terminalId
    if (terminalId === undefined || seen.output === '') return seen
    return { ...seen, output: await withLastBlanks(call.client, terminalId, { ...seen, since: 0 }) }
  }

  return {
    name: 'tty-use',
    instructions:
      'A real terminal of your own, used like a person does: tty_use types a line and returns what the terminal shows when it is your turn again.',
    tools: [tool],
    async call(_tool, input, call): Promise<ToolAnswer> {
      const parsed = parse(input)
      const taken = async () => answer(await shown(parsed, call), episodes.get(call.caller)?.step ?? 0)
      try {
        return await taken()
      } catch (error) {
        // The program has ended, or the terminal was closed: the next step opens a new one, like a person would.
        if (!isTermError(error) || (error.code !== 'session_exited' && error.code !== 'session_not_found')) throw error
        episodes.delete(call.caller)
        return taken()
      }
    },
  }
}

function parse(input: unknown) {
  const { action, ...given } = parseLenient(TtyUseInput, input, { name: tool.name, example: ttyUseExample })
  return { ...given, ...(typeof action === 'string' ? { input: action } : defined({ keys: action })) }
}

async function readScreen(client: ServerClient, terminalId: string): Promise<Observation> {
  const {
    screen,
    rows: _rows,
    cols: _cols,
    cursorRow: _row,
    cursorCol: _col,
    ...verdict
  } = await client.call('screenshot', { terminalId }, { keepsBlanks: true })
  return { output: screen, cursor: 0, ...verdict }
}

/** Builds the answer: the output of the terminal, and a line below it unless it is simply the caller's turn. */
function answer(seen: Observation, step: number): ToolAnswer {
  const { output, state, kind, confidence, evidence, question, exitCode, signal, outcome, missedBytes, invalidBytes } =
    seen
  const note = noteOf(seen)
  return {
    text: `${gapLines(seen)}${note === null ? output : `${output}\n${note}`}`,
    structured: defined({
      output,
      isWaiting: state === 'ready',
      isOver: state === 'exited',
      exitCode,
      timedOut: outcome === 'timeout' ? true : undefined,
      step,
      done: state === 'exited',
      info: defined({ state, kind, confidence, evidence, question, exitCode, signal, missedBytes, invalidBytes }),
    }),
  }
}

function noteOf({ state, outcome, exitCode, question }: Observation): string | null {
  if (state === 'exited')
    return `[the program has ended${exitCode === undefined ? '' : `, exit code ${exitCode}`}; the next step begins a fresh shell]`
  if (outcome === 'timeout' || state === 'busy')
    return '[it still works; wait with waitTimeoutMs and no input, or press ["ctrl+c"]]'
  return question === undefined ? null : `[it asks: ${question}]`
}
