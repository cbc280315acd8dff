/** Parses a reply in the format of Terminus-2, JSON or XML, into keystrokes and feedback, in the words that models were trained on. */

import { limitReached } from '@agentpty/protocol'
import { replyCharactersMax, terminusSecondsMax } from '@agentpty/protocol/gym'
import { readJsonReply } from './terminus-json.ts'
import {
  corrected,
  lineWarning,
  nothingRead,
  orderWarning,
  type ReadCommands,
  type ReplyRead,
  replySections,
  secondsDefault,
  type TerminusCommand,
  tooManyCommands,
} from './terminus-reply.ts'

type TerminusFormat = 'json' | 'xml'

export interface TerminusReply extends Omit<ReplyRead, 'warnings'> {
  /** One line each, with `- ` before it. */
  readonly warning: string | null
}

/** Errors: `limit_reached`. */
export function parseTerminusReply(text: string, format: TerminusFormat): TerminusReply {
  if (text.length > replyCharactersMax)
    throw limitReached(`The reply has more than ${replyCharactersMax} characters.`, 'Ask for a shorter one.')
  const read = format === 'json' ? readJsonReply(text) : readXmlReply(text)
  // A finished task needs no more commands, so a broken command is only a warning.
  return read.error !== null && read.isTaskComplete
    ? replyOf({ ...read, error: null, commands: [], warnings: [...read.warnings, read.error] })
    : replyOf(read)
}

function replyOf({ commands, warnings, ...rest }: ReplyRead): TerminusReply {
  return {
    ...rest,
    commands: commands.map(({ keystrokes, seconds }) => ({
      keystrokes,
      seconds: Math.min(Math.max(seconds, 0), terminusSecondsMax),
    })),
    warning: warnings.length === 0 ? null : warnings.map((warning) => `- ${warning}`).join('\n'),
  }
}

/** The feedback for the model on its reply, shown before the terminal's output; null when there is none. */
export function terminusFeedback({ error, warning }: TerminusReply, format: TerminusFormat): string | null {
  if (error !== null) {
    const warnings = warning === null ? '' : `\nWARNINGS: ${warning}`
    const wanted = format === 'json' ? 'JSON response' : 'response'
    return `Previous response had parsing errors:\nERROR: ${error}${warnings}\n\nPlease fix these issues and provide a proper ${wanted}.`
  }
  return warning === null ? null : `Previous response had warnings:\nWARNINGS: ${warning}`
}

const open = '<response>'
const close = '</response>'

/** A Terminus-2 reply as XML: plain text between tags, in which no entity is resolved. */
function readXmlReply(text: string): ReplyRead {
  const from = text.indexOf(open)
  if (from < 0) return nothingRead('No <response> tag found', [])
  const end = text.indexOf(close, from)
  const content = text.slice(from + open.length, end < 0 ? text.length : end)
  const after = end < 0 ? '' : text.slice(end + close.length)
  const around = [
    ...(text.slice(0, from).trim() === '' ? [] : ['Extra text detected before <response> tag']),
    ...(after.trim() === '' ? [] : ['Extra text detected after </response> tag']),
  ]
  const read = readSections(content, around)
  const isMended = end < 0 && read.error === null
  return isMended
    ? { ...read, warnings: [corrected('Missing </response> tag was automatically inserted'), ...read.warnings] }
    : read
}

function readSections(content: string, around: readonly string[]): ReplyRead {
  const [analysis, plan, commands] = replySections.map((name) => sectionIn(content, name))
  const missing = [
    ...(analysis === null ? ['Missing <analysis> section'] : []),
    ...(plan === null ? ['Missing <plan> section'] : []),
  ]
  const read = commands === null || commands === undefined ? null : readCommands(commands)
  const complete = sectionIn(content, 'task_complete')
  return {
    commands: read?.commands ?? [],
    isTaskComplete: complete?.trim().toLowerCase() === 'true',
    error: read === null ? 'Missing <commands> section' : read.error,
    warnings: [...around, ...missing, ...orderWarning('Sections', placesIn(content)), ...(read?.warnings ?? [])],
    analysis: analysis?.trim() ?? '',
    plan: plan?.trim() ?? '',
  }
}

type SectionName = (typeof replySections)[number] | 'task_complete'

/** Null where it is not there; the first one counts. */
function sectionIn(content: string, name: SectionName): string | null {
  const opening = `<${name}>`
  const from = content.indexOf(opening)
  const to = from < 0 ? -1 : content.indexOf(`</${name}>`, from)
  if (to >= 0) return content.slice(from + opening.length, to)
  return new RegExp(`<${name}\\s*/>`).test(content) ? '' : null
}

function placesIn(content: string): Readonly<Record<(typeof replySections)[number], number>> {
  const place = (name: string) => content.search(new RegExp(`<${name}(?:\\s|>|/>)`))
  return { analysis: place('analysis'), plan: place('plan'), commands: place('commands') }
}

function readCommands(content: string): ReadCommands {
  const found = keystrokesIn(content)
  const many = tooManyCommands(found.length)
  if (many !== null) return { commands: [], error: many, warnings: [] }
  const warnings: string[] = []
  const commands = found.map(({ attributes, keystrokes }, index): TerminusCommand => {
    const number = index + 1
    const { seconds, warning } = secondsIn(attributes)
    if (warning !== null) warnings.push(`Command ${number}: ${warning}`)
    warnings.push(...lineWarning(number, keystrokes, found.length))
    return { keystrokes, seconds }
  })
  return { commands, error: null, warnings }
}

interface Keystrokes {
  readonly attributes: string
  readonly keystrokes: string
}

/** Everything between the tags is text, `<` included. */
function keystrokesIn(content: string): readonly Keystrokes[] {
  const found: Keystrokes[] = []
  const opening = '<keystrokes'
  for (let at = content.indexOf(opening); at >= 0; ) {
    const inside = content.indexOf('>', at)
    const end = inside < 0 ? -1 : content.indexOf('</keystrokes>', inside)
    if (end < 0) break
    found.push({ attributes: content.slice(at + opening.length, inside), keystrokes: content.slice(inside + 1, end) })
    at = content.indexOf(opening, end + 1)
  }
  return found
}

function secondsIn(attributes: string): { readonly seconds: number; readonly warning: string | null } {
  const [, written] = /duration\s*=\s*["']([^"']*)["']/.exec(attributes) ?? []
  if (written === undefined)
    return { seconds: secondsDefault, warning: 'Missing duration attribute, using default 1.0' }
  const isNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(written)
  if (isNumber) return { seconds: Number(written), warning: null }
  return { seconds: secondsDefault, warning: `Invalid duration value '${written}', using default 1.0` }
}
