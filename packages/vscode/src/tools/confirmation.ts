/** The confirmation that a person reads before an agent of the editor types, opens or closes something: the exact text and its target. */

import { shownText } from '@agentpty/protocol/approvals'
import type { OfferedTool } from './editor-tools.ts'

/** Finds the name and folder of a terminal; null if it is unknown. */
export type PlaceOf = (terminalId: string) => { readonly name: string; readonly cwd: string } | null

export interface Prepared {
  /** The text shown while the tool runs. */
  readonly doing: string
  /** Null for a tool that only reads. */
  readonly confirm: { readonly title: string; readonly body: string } | null
}

/** The maximum length shown of a text: its beginning and its end. */
const shownCharactersMax = 2_000

type Input = Readonly<Record<string, unknown>>

export function prepare(tool: OfferedTool, input: Input, placeOf: PlaceOf): Prepared {
  const place = typeof input['terminalId'] === 'string' ? placeOf(input['terminalId']) : null
  const where = placeWords(input['terminalId'], place)
  switch (tool) {
    case 'terminal_create':
      return asking(`Opening a terminal${named(input['name'])}${inFolder(input['cwd'])}`, {
        title: `Open a terminal${named(input['name'])}${inFolder(input['cwd'])}?`,
        body: lines(commandWords(input['command']), variables(input['env'])),
      })
    case 'terminal_run':
      return asking(`Running a command in ${where ?? 'a new terminal'}`, {
        title: `Run this in ${where ?? `a new terminal${inFolder(input['cwd'])}`}?`,
        body: lines(block(input['command']), where === null ? '' : folderChange(input['cwd'])),
      })
    case 'terminal_send':
      return asking(`Typing into ${where}`, {
        title: `Type this into ${where}?`,
        body: lines(
          block(input['text']),
          input['newline'] === false ? 'Enter is not pressed.' : 'Then Enter is pressed.',
        ),
      })
    case 'terminal_send_keys':
      return asking(`Pressing keys in ${where}`, {
        title: `Press these keys in ${where}?`,
        body: block(list(input['keys']).join(' ')),
      })
    case 'terminal_close':
      return asking('Closing terminals', {
        title: `Close ${closing(input, placeOf)}?`,
        body: 'Their programs and all processes they have started will end.',
      })
    case 'terminal_read':
      return readOnly(`Reading the output of ${where}`)
    case 'terminal_screenshot':
      return readOnly(`Reading the screen of ${where}`)
    case 'terminal_wait':
      return readOnly(
        `Waiting for ${list(input['terminalIds'])
          .map((id) => `“${nameIn(id, placeOf)}”`)
          .join(', ')}`,
      )
    case 'terminal_list':
      return readOnly('Listing the terminals')
  }
}

const asking = (doing: string, confirm: NonNullable<Prepared['confirm']>): Prepared => ({ doing, confirm })
const readOnly = (doing: string): Prepared => ({ doing, confirm: null })
const lines = (...parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n')
const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Shows a text verbatim; characters that a terminal would hide are spelled out. */
export function block(value: unknown): string {
  const text = shownText(String(value ?? ''), shownCharactersMax)
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

function placeWords(id: unknown, place: ReturnType<PlaceOf>): string | null {
  if (typeof id !== 'string') return null
  return place === null ? `“${oneLine(id)}”` : `“${oneLine(place.name)}” (${oneLine(place.cwd)})`
}

const nameIn = (id: string, placeOf: PlaceOf): string => oneLine(placeOf(id)?.name ?? id)
const oneLine = (text: string): string => shownText(text, 200).replaceAll('\n', ' ')
const named = (name: unknown): string => (typeof name === 'string' ? ` “${oneLine(name)}”` : '')
const inFolder = (cwd: unknown): string => (typeof cwd === 'string' ? ` in ${oneLine(cwd)}` : '')
const folderChange = (cwd: unknown): string => (typeof cwd === 'string' ? `Its shell changes to ${oneLine(cwd)}.` : '')

function commandWords(command: unknown): string {
  if (command === undefined) return 'A shell.'
  return block(Array.isArray(command) ? command.map((word) => JSON.stringify(word)).join(' ') : command)
}

function variables(env: unknown): string {
  if (typeof env !== 'object' || env === null || Object.keys(env).length === 0) return ''
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${String(value)}`)
  return lines('With these variables:', block(pairs.join('\n')))
}

function closing({ terminalId, terminalIds, all }: Input, placeOf: PlaceOf): string {
  if (all === true) return 'all terminals that agents of this window have opened'
  const ids = [...list(terminalIds), ...(typeof terminalId === 'string' ? [terminalId] : [])]
  return ids.map((id) => `“${nameIn(id, placeOf)}”`).join(', ')
}
