import {
  BoundedMap,
  defined,
  invalidInput,
  isTermError,
  KeyedQueue,
  type Offset,
  outputBytesMax,
  sendBytesMax,
  TermError,
} from '@agentpty/protocol'
import { gapLines } from '@agentpty/protocol/call'
import {
  inputJsonSchema,
  type ToolAnswer,
  type ToolCall,
  type ToolDescription,
  type Toolset,
} from '@agentpty/protocol/mcp'
import * as z from 'zod'
import { withLastBlanks } from '../parts/aside.ts'
import { parseLenient } from '../parts/lenient-arguments.ts'
import { type Answered, callVerb, hasCode, openSession, runCommand, terminalOf, typeCommand } from './sessions.ts'

const deepTerminalActions = ['start', 'execute', 'read', 'terminate', 'sendCommandAndWait'] as const

const milliseconds = z.number().int().min(0).max(86_400_000).optional()
const sessionId = z.string().min(1).max(1_000).optional()
const command = z.string().max(sendBytesMax)

const sessionFields = {
  sessionId: sessionId.describe('A name of your choice'),
  session_id: sessionId.describe('Same as sessionId'),
}

type Named = Partial<Record<keyof typeof sessionFields, string | undefined>>

const isNamed = (input: Named) => (input.sessionId ?? input.session_id) !== undefined
const unnamed = { message: 'name the session', path: ['sessionId'] }

function withOneName<Input extends Named>({ session_id, ...input }: Input) {
  return { ...input, sessionId: input.sessionId ?? session_id ?? '' }
}

const DeepTerminalInput = z
  .strictObject({
    action: z.enum(deepTerminalActions),
    ...sessionFields,
    command: command.optional().describe('What to execute'),
    waitMs: milliseconds.describe('With execute: wait so long for the command to end, and return its output'),
    timeoutMs: milliseconds.describe('With sendCommandAndWait: how long to wait (default: 10000)'),
    shell: z.string().min(1).optional().describe('With start (default: /bin/bash)'),
  })
  .refine(isNamed, unnamed)
  .transform(withOneName)
type DeepTerminalInput = z.output<typeof DeepTerminalInput>

const SendCommandInput = z
  .strictObject({ ...sessionFields, command, timeoutMs: milliseconds.describe('Default: 10000') })
  .refine(isNamed, unnamed)
  .transform(withOneName)
type SendCommandInput = z.output<typeof SendCommandInput>

const deepTerminalExample = { action: 'execute', sessionId: 'build', command: 'npm run build', waitMs: 10_000 }
const sendCommandExample = { sessionId: 'build', command: 'npm test', timeoutMs: 30_000 }

const answerMsDefault = 10_000

const annotations = { readOnlyHint: false, destructiveHint: true } as const

const oneTool = {
  description:
    'Persistent shell sessions that keep their working directory, variables and history between calls. start opens one, execute types a command (with waitMs: waits for it and returns its output), read returns new output since the last read, terminate ends it, sendCommandAndWait returns {output, exitCode, success}.',
  inputSchema: inputJsonSchema(DeepTerminalInput),
  annotations,
}

const tools: readonly ToolDescription[] = [
  { name: 'deep_terminal', ...oneTool },
  { name: 'manage_terminal', ...oneTool },
  {
    name: 'sendCommandAndWait',
    description: 'Run a command in a session and wait for it: {output, exitCode, success}.',
    inputSchema: inputJsonSchema(SendCommandInput),
    becomes: ['run'],
    annotations,
  },
]

/**
 * The door of codebuddy's deep terminal: shells that callers name, used by one tool with actions, which answers in words.
 *
 * All callers share the sessions; how far each caller has read is kept per caller. Nothing that was printed since then
 * is left out silently: output that the log evicted in between is reported.
 */
export function makeDeepTerminal(): Toolset {
  const door = new DeepTerminal()
  return {
    name: 'deep-terminal',
    instructions:
      'Shells that stay: start a session under a name, execute commands in it, read what is new, terminate it.',
    tools,
    answerRefused: (error) => ({ text: `Error: ${messageOf(error)}`, isError: true }),
    async call(tool, input, call): Promise<ToolAnswer> {
      try {
        return { text: await door.answer(tool, input, call) }
      } catch (error) {
        return { text: `Error: ${messageOf(error)}`, isError: true }
      }
    },
  }
}

class DeepTerminal {
  readonly #marks = new ReadMarks()
  /** Two callers that wait for commands in one session would each get the output of both. */
  readonly #waiting = new KeyedQueue()

  async answer(tool: string, input: unknown, call: ToolCall): Promise<string> {
    if (tool === 'sendCommandAndWait')
      return this.#sendCommandAndWait(
        parseLenient(SendCommandInput, input, { name: tool, example: sendCommandExample }),
        call,
      )
    const parsed = parseLenient(DeepTerminalInput, input, { name: tool, example: deepTerminalExample })
    switch (parsed.action) {
      case 'start':
        return this.#start(parsed, call)
      case 'execute':
        return this.#execute(parsed, call)
      case 'read':
        return this.#read(parsed, call)
      case 'terminate':
        return this.#terminate(parsed, call)
      case 'sendCommandAndWait':
        return this.#sendCommandAndWait({ ...parsed, command: commandOf(parsed) }, call)
    }
  }

  async #start({ sessionId, shell }: DeepTerminalInput, call: ToolCall): Promise<string> {
    try {
      const { output, cursor } = await openSession(sessionId, shell, call)
      // The first prompt alone does not count as output; what a start-up file has printed does.
      this.#marks.begin(sessionId, output.includes('\n') ? 0 : cursor)
      return `Session ${sessionId} started successfully.`
    } catch (error) {
      if (!hasCode(error, 'name_taken')) throw error
      return `Session ${sessionId} already exists.`
    }
  }

  async #execute(input: DeepTerminalInput, call: ToolCall): Promise<string> {
    const { sessionId, waitMs } = input
    const command = commandOf(input)
    const sent = `Command sent to session ${sessionId}`
    if (!waitMs) {
      await inSession(sessionId, command, typeCommand(sessionId, command, call))
      return sent
    }
    const { output, exitCode, ...gaps } = await this.#run(sessionId, { command, timeoutMs: waitMs }, call)
    const ended = exitCode === null ? '' : `\nExit Code: ${exitCode} (${exitCode === 0 ? 'success' : 'failure'})`
    return `${sent}\nOutput:\n${gapLines(gaps)}${output}${ended}`
  }

  async #sendCommandAndWait(
    { sessionId, command, timeoutMs = answerMsDefault }: SendCommandInput,
    call: ToolCall,
  ): Promise<string> {
    const { output, exitCode, timedOut, ...gaps } = await this.#run(sessionId, { command, timeoutMs }, call)
    const success = exitCode === 0
    return JSON.stringify(defined({ output, exitCode, success, timedOut: timedOut || undefined, ...gaps }))
  }

  #run(sessionId: string, command: Parameters<typeof runCommand>[1], call: ToolCall): Promise<Answered> {
    const running = this.#waiting.run(sessionId, () => runCommand(sessionId, command, call))
    return inSession(sessionId, command.command, running)
  }

  async #read({ sessionId }: DeepTerminalInput, call: ToolCall): Promise<string> {
    const { caller } = call
    const mark = this.#marks.get(sessionId, caller)
    try {
      const range = { terminalId: terminalOf(sessionId), since: mark.next, maxBytes: outputBytesMax }
      const { output, cursor, missedBytes, invalidBytes, state, exitCode } = await callVerb(call, 'read', range)
      const isOver = state === 'exited'
      this.#marks.set(sessionId, caller, { next: cursor, endReported: isOver })
      const gap =
        missedBytes === undefined ? '' : `[${missedBytes} bytes of older output were overwritten before this read]\n`
      const end = isOver && !mark.endReported ? `\n[Session closed with code ${exitCode ?? null}]\n` : ''
      const printed = await withLastBlanks(call.client, range.terminalId, { output, cursor, since: mark.next })
      return `${gap}${gapLines({ invalidBytes })}${printed}${end}` || '(No new output)'
    } catch (error) {
      if (!hasCode(error, 'session_not_found')) throw error
      return `Session ${sessionId} not found.`
    }
  }

  async #terminate({ sessionId }: DeepTerminalInput, call: ToolCall): Promise<string> {
    this.#marks.delete(sessionId)
    try {
      await callVerb(call, 'close', { terminalId: terminalOf(sessionId) })
      return `Session ${sessionId} terminated.`
    } catch (error) {
      if (!hasCode(error, 'session_not_found')) throw error
      return `Session ${sessionId} not found.`
    }
  }
}

function commandOf({ command, action }: DeepTerminalInput): string {
  if (command !== undefined && command !== '') return command
  throw invalidInput(`Command required for ${action} action.`, '')
}

/** Errors of typing into a session, in the words of the other system. */
async function inSession<Result>(sessionId: string, command: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'session_not_found'))
      throw new TermError('session_not_found', `Session ${sessionId} not found. Please start it first.`, '')
    if (hasCode(error, 'session_exited'))
      throw new TermError('session_exited', `Session ${sessionId} stdin is not writable.`, '')
    throw isTermError(error) ? (refusalOf(command, error) ?? error) : error
  }
}

/** Errors: rethrows everything that is not a {@link TermError}. */
function messageOf(error: unknown): string {
  if (!isTermError(error)) throw error
  return [error.message, error.hint].filter(Boolean).join(' ')
}

/**
 * Texts for a command that may not run. CodeBuddy checks the profile, its own list, the files of the repository, and a
 * person, in this order; the first refusal supplies the text. These checks come before the session is looked up.
 *
 * Converts a refusal by the policy or a person; returns null for other errors.
 */
function refusalOf(command: string, { code, message, hint, refusal }: TermError): TermError | null {
  if (code === 'not_approved') return new TermError(code, 'Command cancelled — user denied execution.', '')
  if (code === 'needs_approval' || code === 'partly_done') return new TermError(code, message, hint)
  // A tool that is refused, or all that a caller may do, is not about the command.
  if (code !== 'denied' || refusal === null || refusal.rule === 'tool-rule') return null
  return new TermError(code, blocked(command, refusal), hint)
}

function blocked(command: string, { profile, source }: NonNullable<TermError['refusal']>): string {
  if (profile === 'restricted')
    return 'Terminal commands are disabled in "restricted" permission profile. Change the permission profile or update .codebuddy/permissions.json.'
  if (source === 'built-in')
    return `Blocked dangerous command: "${command}". This command matches a restricted pattern and cannot be executed.`
  if (source.file.endsWith(permissions)) return `Blocked by permission scope (${profile}): "${command}".`
  const file = source.file.endsWith(security) ? security : source.file
  return `Blocked by external security policy: "${command}". Check ${file} for configured deny patterns.`
}

const security = '.codebuddy/security.json'
const permissions = '.codebuddy/permissions.json'

const sessionsMax = 1_000
const callersMax = 64

interface ReadMark {
  readonly next: Offset
  /** The end of the shell has been reported. */
  readonly endReported: boolean
}

interface SessionMarks {
  readonly begin: Offset
  readonly byCaller: BoundedMap<string, ReadMark>
}

/**
 * How far each caller has read each session. Marks are offsets, so they stay right however much output has been
 * evicted. Sessions and callers are bounded; a caller whose mark was evicted reads from the beginning again, and misses
 * nothing.
 */
class ReadMarks {
  readonly #sessions = new BoundedMap<string, SessionMarks>(sessionsMax)

  /** Starts a new session that no caller has read. Output before `begin` does not count. */
  begin(session: string, begin: Offset): void {
    this.#sessions.set(session, { begin, byCaller: new BoundedMap(callersMax) })
  }

  get(session: string, caller: string): ReadMark {
    const marks = this.#sessions.get(session)
    return marks?.byCaller.get(caller) ?? { next: marks?.begin ?? 0, endReported: false }
  }

  set(session: string, caller: string, mark: ReadMark): void {
    if (this.#sessions.get(session) === undefined) this.begin(session, 0)
    this.#sessions.get(session)?.byCaller.set(caller, mark)
  }

  delete(session: string): void {
    this.#sessions.delete(session)
  }
}
