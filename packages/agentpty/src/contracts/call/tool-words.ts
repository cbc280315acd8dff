/**
 * Errors name the next move by the tools of MCP, the face that most of them reach. Here are the same moves in the words of the
 * other faces; a face puts an error into its own where it shows one.
 */

import { TermError } from '../errors.ts'

export type WordyFace = 'cli' | 'library'

/** By tool: the command, and the library's method. */
export const faceWords: Readonly<Record<string, Readonly<Record<WordyFace, string>>>> = {
  terminal_run: { cli: 'agentpty run', library: 'session.run()' },
  terminal_create: { cli: 'agentpty new', library: 'openSession()' },
  terminal_send: { cli: 'agentpty send', library: 'session.send()' },
  terminal_send_keys: { cli: 'agentpty keys', library: 'session.press()' },
  terminal_read: { cli: 'agentpty read', library: 'session.read()' },
  terminal_wait: { cli: 'agentpty wait', library: 'session.wait()' },
  terminal_screenshot: { cli: 'agentpty screen', library: 'session.screen()' },
  terminal_resize: { cli: 'agentpty resize', library: 'session.resize()' },
  terminal_list: { cli: 'agentpty ls', library: 'terminals.list()' },
  terminal_close: { cli: 'agentpty close', library: 'session.close()' },
  terminal_ask_person: { cli: 'agentpty attach', library: 'session.send()' },
}

/** Verbs that are no tools are named in errors by their own names. */
const verbWords: Readonly<Record<string, Readonly<Record<WordyFace, string>>>> = {
  rename: { cli: 'agentpty rename', library: 'session.rename()' },
  write: { cli: 'agentpty attach', library: 'client.call("write")' },
  recording: { cli: 'agentpty recording', library: 'client.call("recording")' },
}

/** Whole turns of phrase, which come before single names. */
const phrases: readonly (readonly [RegExp, Readonly<Record<WordyFace, string>>])[] = [
  [/terminal_send_keys \["([^"]+)"\]/g, { cli: 'agentpty keys ID $1', library: "session.press('$1')" }],
  [/leave out terminalId/g, { cli: 'leave out --in', library: 'open a session' }],
  [/Leave out terminalId/g, { cli: 'Leave out --in', library: 'Open a session' }],
  [/clearLine:true/g, { cli: '--clear-line', library: 'clearLine: true' }],
  [/force:true/g, { cli: '--force', library: 'force: true' }],
  [/since your last cursor/g, { cli: '--since your last cursor', library: 'since your last cursor' }],
]

/** Fields of inputs as the command line takes them, where it has another word for them. */
const cliFields: Readonly<Record<string, string>> = {
  terminalId: 'ID',
  terminalIds: 'ID',
  command: 'COMMAND',
  text: 'TEXT',
  keys: 'KEY',
  name: 'NAME',
  cols: 'size',
  rows: 'size',
  cwd: '--cwd',
  clearLine: '--clear-line',
  env: '--env',
  shell: '--shell',
  since: '--since',
  find: '--find',
  contextLines: '--context',
  maxBytes: '--max-bytes',
  lines: '--lines',
  format: '--format',
  waitFor: '--wait',
  waitTimeoutMs: '--timeout',
  timeoutMs: '--timeout',
}

/**
 * @example inWordsOf('cli', 'Close some with terminal_close.') // 'Close some with agentpty close.'
 */
export function inWordsOf(face: WordyFace, text: string): string {
  const phrased = phrases.reduce((told, [phrase, words]) => told.replaceAll(phrase, words[face]), text)
  return phrased.replaceAll(/\bterminal_[a-z_]+\b/g, (tool) => faceWords[tool]?.[face] ?? tool)
}

/** The same error in a face's words; what is no {@link TermError} stays as it is. */
export function errorInWordsOf(face: WordyFace, error: TermError): TermError {
  const [, called, problems] = /^(terminal_\w+|rename|write|recording): (.*)$/s.exec(error.message) ?? []
  if (called === undefined || problems === undefined || error.code !== 'invalid_input')
    return new TermError(error.code, inWordsOf(face, error.message), inWordsOf(face, error.hint))
  const words = (faceWords[called] ?? verbWords[called])?.[face] ?? called
  if (face === 'library') return new TermError(error.code, `${words}: ${problems}`, error.hint)
  return new TermError(error.code, `${words}: ${inCliFields(problems)}`, `See: ${words} --help`)
}

/** `cols: too big; keys.3: empty` */
function inCliFields(problems: string): string {
  return problems.replaceAll(/(^|; )(\w+)(?:\.\w+)*: /g, (whole, before: string, field: string) => {
    const word = cliFields[field]
    return word === undefined ? whole : `${before}${word}: `
  })
}
