/**
 * Errors name the next move by the tools of MCP, the face that most of them reach. Here are the same moves in the words
 * of the other faces; a face translates an error when it shows one.
 */

import { TermError } from '../errors.ts'
import type { Verb } from '../verbs/verb.ts'
import { toolVerbs, verbs } from '../verbs/verbs.ts'

export type WordyFace = 'cli' | 'library'

type Words = Readonly<Record<WordyFace, string>>

/** For each tool the command and the library's method. */
export const faceWords: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(Object.values(toolVerbs).map(({ tool, words }) => [tool, words])),
  terminal_ask_person: { cli: 'agentpty attach', library: 'session.send()' },
}

/** Verbs that are not tools are named in errors by their own names. */
const verbWords: Readonly<Record<string, Words>> = Object.fromEntries(
  Object.values<Verb>(verbs).flatMap(({ name, tool, words }) => (tool === null ? [[name, words]] : [])),
)

/** Whole phrases, which are replaced before single names. */
const phrases: readonly (readonly [RegExp, Words])[] = [
  [/terminal_send_keys \["([^"]+)"\]/g, { cli: 'agentpty keys ID $1', library: "session.press('$1')" }],
  [/leave out terminalId/g, { cli: 'leave out --in', library: 'open a session' }],
  [/Leave out terminalId/g, { cli: 'Leave out --in', library: 'Open a session' }],
  [/clearLine:true/g, { cli: '--clear-line', library: 'clearLine: true' }],
  [/force:true/g, { cli: '--force', library: 'force: true' }],
  [/since your last cursor/g, { cli: '--since your last cursor', library: 'since your last cursor' }],
]

/** Fields of inputs for which the command line has another word. */
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
  'sandbox.network': '--network',
  'sandbox.writable': '--writable',
}

/** @example inWordsOf('cli', 'Close some with terminal_close.') // 'Close some with agentpty close.' */
export function inWordsOf(face: WordyFace, text: string): string {
  const inPhrases = phrases.reduce((phrased, [phrase, words]) => phrased.replaceAll(phrase, words[face]), text)
  return inPhrases.replaceAll(/\bterminal_[a-z_]+\b/g, (tool) => faceWords[tool]?.[face] ?? tool)
}

/** The same error in the words of the caller's interface; anything but a {@link TermError} stays unchanged. */
export function errorInWordsOf(face: WordyFace, error: TermError): TermError {
  const [, called, problems] = /^(\w+): (.*)$/s.exec(error.message) ?? []
  const known = faceWords[called ?? ''] ?? verbWords[called ?? '']
  if (known === undefined || problems === undefined || error.code !== 'invalid_input')
    return new TermError(error.code, inWordsOf(face, error.message), inWordsOf(face, error.hint))
  const words = known[face]
  if (face === 'library') return new TermError(error.code, `${words}: ${problems}`, error.hint)
  return new TermError(error.code, `${words}: ${inCliFields(problems)}`, `See: ${words} --help`)
}

/** `cols: too big; keys.3: empty` */
function inCliFields(problems: string): string {
  return problems.replaceAll(/(^|; )(\w+)(\.\w+)?(?:\.\w+)*: /g, (whole, before: string, field: string, part = '') => {
    const word = cliFields[`${field}${part}`] ?? cliFields[field]
    return word === undefined ? whole : `${before}${word}: `
  })
}
