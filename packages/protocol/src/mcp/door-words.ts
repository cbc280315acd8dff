/**
 * Errors name the next move by our own tools. Here are the same moves in the words of each door. `callInToolset` translates every error that
 * a door’s call meets, so no door shows its caller a tool that the caller does not have.
 */

import { type ErrorCode, isTermError, TermError } from '../errors.ts'
import { type ServerClient, withCall } from '../server-client.ts'
import { toolVerbs, verbs } from '../verbs/verbs.ts'
import type { ToolsetName } from './tool.ts'

type NamedTool =
  | 'terminal_ask_person'
  | 'terminal_close'
  | 'terminal_create'
  | 'terminal_list'
  | 'terminal_read'
  | 'terminal_resize'
  | 'terminal_run'
  | 'terminal_screenshot'
  | 'terminal_send'
  | 'terminal_send_keys'
  | 'terminal_wait'

interface DoorWords {
  /** For each of our tools that an error may name. */
  readonly tools: Readonly<Record<Exclude<NamedTool, 'terminal_ask_person'>, string>>
  /** The tool that presses keys. Null: only text can be sent, and a program that needs a key is ended. */
  readonly pressed: ((keys: readonly string[]) => string) | null
  /** The call that starts another program beside the busy one. */
  readonly elsewhere: string
  /** The parameter that names a terminal. */
  readonly terminalId: string
  /** The call that gives an agent its next task. */
  readonly instruct: string
  /** The call that reads output since an offset; null where the door has none. */
  readonly readSince: ((since: string) => string) | null
}

const listed = (keys: readonly string[]) => `[${keys.map((key) => JSON.stringify(key)).join(', ')}]`

const termtile: DoorWords = {
  tools: {
    terminal_close: 'kill_agent',
    terminal_create: 'spawn_agent',
    terminal_list: 'list_agents',
    terminal_read: 'read_from_agent',
    terminal_resize: 'spawn_agent',
    terminal_run: 'send_to_agent',
    terminal_screenshot: 'read_from_agent',
    terminal_send: 'send_to_agent',
    terminal_send_keys: 'send_to_agent',
    terminal_wait: 'wait_for_idle',
  },
  pressed: null,
  elsewhere: 'start another agent with spawn_agent',
  terminalId: 'slot',
  instruct: 'call send_to_agent again',
  readSince: null,
}

/** Null: our own words. */
export const doorWords: Readonly<Record<ToolsetName, DoorWords | null>> = {
  terminal: null,
  agents: { ...termtile, terminalId: 'id' },
  termtile,
  'terminal-agent': {
    tools: {
      terminal_close: 'terminal_close',
      terminal_create: 'terminal_create',
      terminal_list: 'terminal_list',
      terminal_read: 'terminal_read',
      terminal_resize: 'terminal_create',
      terminal_run: 'terminal_send',
      terminal_screenshot: 'terminal_screenshot',
      terminal_send: 'terminal_send',
      terminal_send_keys: 'terminal_send_keys',
      terminal_wait: 'terminal_read {"waitForIdle": 1000}',
    },
    pressed: (keys) => `terminal_send_keys ${listed(keys)}`,
    elsewhere: 'open another terminal with terminal_create',
    terminalId: 'terminalId',
    instruct: 'call terminal_type again',
    readSince: (since) => `terminal_read {"since": ${since}, "raw": true}`,
  },
  'deep-terminal': {
    tools: {
      terminal_close: 'terminate',
      terminal_create: 'start',
      terminal_list: 'read',
      terminal_read: 'read',
      terminal_resize: 'start',
      terminal_run: 'execute',
      terminal_screenshot: 'read',
      terminal_send: 'execute',
      terminal_send_keys: 'execute',
      terminal_wait: 'read',
    },
    pressed: null,
    elsewhere: 'start another session',
    terminalId: 'sessionId',
    instruct: 'execute it again',
    readSince: null,
  },
  terminalcp: {
    tools: {
      terminal_close: 'stop',
      terminal_create: 'start',
      terminal_list: 'list',
      terminal_read: 'stream',
      terminal_resize: 'resize',
      terminal_run: 'stdin',
      terminal_screenshot: 'stdout',
      terminal_send: 'stdin',
      terminal_send_keys: 'stdin',
      terminal_wait: 'stdout',
    },
    pressed: (keys) => `stdin ${listed(keys.map(terminalcpKey))}`,
    elsewhere: 'start another process',
    terminalId: 'id',
    instruct: 'send it by stdin again',
    readSince: null,
  },
  'tty-use': {
    tools: {
      terminal_close: 'tty_use {"reset": true}',
      terminal_create: 'tty_use {"reset": true}',
      terminal_list: 'tty_use',
      terminal_read: 'tty_use without input',
      terminal_resize: 'tty_use',
      terminal_run: 'input',
      terminal_screenshot: 'tty_use without input',
      terminal_send: 'input',
      terminal_send_keys: 'keys',
      terminal_wait: 'tty_use {"waitTimeoutMs": 30000}',
    },
    pressed: (keys) => `keys ${listed(keys)}`,
    elsewhere: 'begin with a fresh shell by reset',
    terminalId: 'terminal',
    instruct: 'give it as input again',
    readSince: null,
  },
}

/** `ctrl+c` is `::C-c`; a text stays. */
function terminalcpKey(key: string): string {
  const [, control] = /^ctrl\+(.)$/.exec(key) ?? []
  if (control !== undefined) return `::C-${control}`
  return namedKey.test(key) ? `::${key[0]?.toUpperCase()}${key.slice(1)}` : key
}

const namedKey = /^(escape|enter|up|down|left|right|tab|home|end|space|backspace)$/

/** @example inDoorWords('terminalcp', 'Leave it with terminal_send_keys ["ctrl+d"].') // 'Leave it with stdin ["::C-d"].' */
export function inDoorWords(toolset: ToolsetName, text: string): string {
  const words = doorWords[toolset]
  if (words === null) return text
  return inCommandWords(toolset, text)
    .replaceAll(/,? with terminal_ask_person/g, '')
    .replaceAll(/([Ll])eave out terminalId to run in a fresh terminal/g, (_, first: string) =>
      first === 'L' ? capitalized(words.elsewhere) : words.elsewhere,
    )
    .replaceAll('clearLine:true (ctrl+c)', 'terminal_send_keys ["ctrl+c"]')
    .replaceAll('ctrl+u (terminal_send_keys)', 'ctrl+u')
    .replaceAll(/(?:terminal_send_keys )?\[("[^\]]+")\]/g, (_, keys: string) => pressed(words, JSON.parse(`[${keys}]`)))
    .replaceAll(' since your last cursor', '')
    .replaceAll(/\binstruct (?=again)/g, `${words.instruct.replace(/ again$/, '')} `)
    .replaceAll(/\bterminal_[a-z_]+\b/g, (tool) => words.tools[tool as keyof DoorWords['tools']] ?? tool)
    .replaceAll(/\bterminalId\b/g, words.terminalId)
}

function pressed({ pressed: press, tools }: DoorWords, keys: readonly string[]): string {
  if (press !== null) return press(keys)
  const [text, enter = 'enter', ...more] = keys
  const isText = text !== undefined && !namedKey.test(text) && !/^\w+\+/.test(text)
  return isText && enter === 'enter' && more.length === 0
    ? `${tools.terminal_send} ${JSON.stringify(text)}`
    : tools.terminal_close
}

const capitalized = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`

/** Callers that lead agents by tools know no command line. */
function inCommandWords(toolset: ToolsetName, text: string): string {
  if (toolset !== 'agents' && toolset !== 'termtile') return text
  const inbox = toolset === 'agents' ? 'read_inbox' : 'read_from_agent'
  return text
    .replaceAll(
      'answer it with terminal_send_keys',
      `answer it with ${toolset === 'agents' ? 'answer_agent' : 'send_to_agent'}`,
    )
    .replaceAll('agentpty agent spawn', 'spawn_agent')
    .replaceAll('agentpty agent fork', toolset === 'agents' ? 'fork_agent' : 'spawn_agent')
    .replaceAll('agentpty agent send', 'send_to_agent')
    .replaceAll('agentpty agent message --wait', inbox)
    .replaceAll('agentpty agent tree', toolset === 'agents' ? 'agent_tree' : 'list_agents')
    .replaceAll('agentpty agent ls', 'list_agents')
}

/** Output of a screen that was cleared names the call that reads the rest. */
export function outputInDoorWords(toolset: ToolsetName, output: string): string {
  const words = doorWords[toolset]
  if (words === null || !output.includes(clearedHead)) return output
  return output.replaceAll(clearedLine, (_, head: string, since: string) => {
    const read = words.readSince?.(since)
    return `${head}${read === undefined ? '' : `: ${read}`}]`
  })
}

const clearedHead = '[... the screen was cleared here; '
const clearedLine =
  /^(\[\.\.\. the screen was cleared here; \d+ lines? before it (?:is|are) left out): terminal_read \{"since": (\d+), "raw": true\}\]$/gm

// The client that a door calls: its errors and outputs are in the words of the door.

/** The same error in a door’s words; a fault in the input of a verb is reported without the verb's name. */
export function errorInDoorWords(toolset: ToolsetName, error: TermError): TermError {
  if (toolset === 'terminal') return error
  const { code, message, hint, refusal } = error
  const [, called = '', problems = ''] = /^(\w+): (.*)$/s.exec(message) ?? []
  if (code === 'invalid_input' && ownNames.has(called)) return new TermError(code, problems, '', refusal)
  const shown = quoting.has(code) ? message : inDoorWords(toolset, message)
  return new TermError(code, shown, inDoorWords(toolset, hint), refusal)
}

/** Their messages quote the call, or a rule of the user. */
const quoting: ReadonlySet<ErrorCode> = new Set(['denied', 'needs_approval', 'not_approved', 'partly_done'])

/** By which an error begins that is about the input of a verb. */
const ownNames: ReadonlySet<string> = new Set([
  ...Object.keys(verbs),
  ...Object.values(toolVerbs).map(({ tool }) => tool),
])

/** The same client, whose errors and outputs are in a door’s words. */
export function inWordsOfDoor(toolset: ToolsetName, client: ServerClient): ServerClient {
  if (toolset === 'terminal') return client
  return withCall(client, async (name, input, context) => {
    try {
      const result = await client.call(name, input, context)
      const { output } = result as { readonly output?: unknown }
      return typeof output === 'string' ? { ...result, output: outputInDoorWords(toolset, output) } : result
    } catch (error) {
      throw isTermError(error) ? errorInDoorWords(toolset, error) : error
    }
  })
}
