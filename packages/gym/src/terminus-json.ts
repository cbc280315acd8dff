/** A Terminus-2 reply as JSON: an object, with text around it that does not count. */

import { jsonNestingMax } from '@agentpty/protocol/gym'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { shapeFault } from './json-text.ts'
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

const closingFix = 'Fixed incomplete JSON by adding missing closing brace'
const mixedFix = 'Extracted JSON from mixed content'

/** A reply that cannot be read is mended, where one of the two known mistakes was made. */
export function readJsonReply(text: string): ReplyRead {
  const read = readOnce(text)
  if (read.error === null || read.isTaskComplete) return read
  const fixes = [
    { fix: closingFix, mended: withClosingBraces(text, read.error) },
    { fix: mixedFix, mended: firstJsonObject(text) },
  ]
  for (const { fix, mended } of fixes) {
    const again = mended === null ? null : readOnce(mended)
    if (again?.error === null) return { ...again, warnings: [corrected(fix), ...again.warnings] }
  }
  return read
}

function readOnce(text: string): ReplyRead {
  const span = objectSpan(text, 0)
  if (span === null) {
    const whole = parse(text)
    const isValue = 'value' in whole && text.trim() !== ''
    return nothingRead(isValue ? 'Response must be a JSON object' : 'No valid JSON found in response', [])
  }
  const warnings = [
    ...(text.slice(0, span.from).trim() === '' ? [] : ['Extra text detected before JSON object']),
    ...(text.slice(span.to).trim() === '' ? [] : ['Extra text detected after JSON object']),
  ]
  const json = text.slice(span.from, span.to)
  const parsed = parse(json)
  if ('problem' in parsed) return nothingRead(`Invalid JSON: ${parsed.problem}`, warnings)
  const deep = shapeFault(parsed.value, jsonNestingMax)
  if (deep !== null) return nothingRead(`Invalid JSON: ${deep}`, warnings)
  return isObject(parsed.value)
    ? readObject(parsed.value, json, warnings)
    : nothingRead('Response must be a JSON object', warnings)
}

/** Finds the span from the first brace at or after `start` to its closing brace, `to` behind it. Braces in strings do not count. Null: not closed. */
function objectSpan(text: string, start: number) {
  let from = -1
  let depth = 0
  let isInString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '{') {
      if (depth === 0) from = at
      depth++
    } else if (character === '}') {
      depth--
      if (depth === 0 && from >= 0) return { from, to: at + 1 }
    }
  }
  return null
}

type Parsed = { readonly value: unknown } | { readonly problem: string }

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function readObject(reply: JsonObject, json: string, extra: readonly string[]): ReplyRead {
  const missing = replySections.filter((field) => !Object.hasOwn(reply, field))
  if (missing.length > 0) return nothingRead(`Missing required fields: ${missing.join(', ')}`, extra)
  const { analysis, plan, commands, task_complete: complete } = reply
  const texts = Object.entries({ analysis, plan })
    .filter(([, value]) => typeof value !== 'string')
    .map(([field]) => `Field '${field}' should be a string`)
  if (!Array.isArray(commands)) return nothingRead("Field 'commands' must be an array", [...extra, ...texts])
  const isKnown =
    complete === undefined || complete === null || typeof complete === 'boolean' || typeof complete === 'string'
  const warnings = [
    ...extra,
    ...texts,
    ...orderWarning('Fields', placesOf(json)),
    ...(isKnown ? [] : ["Field 'task_complete' should be a boolean or string"]),
  ]
  const read = readCommands(commands)
  return {
    commands: read.commands,
    isTaskComplete: typeof complete === 'string' ? /^(?:true|1|yes)$/i.test(complete) : Boolean(complete),
    error: read.error,
    warnings: [...warnings, ...read.warnings],
    analysis: typeof analysis === 'string' ? analysis : '',
    plan: typeof plan === 'string' ? plan : '',
  }
}

function placesOf(json: string): Readonly<Record<(typeof replySections)[number], number>> {
  const place = (field: string) => json.search(new RegExp(`"${field}"\\s*:`))
  return { analysis: place('analysis'), plan: place('plan'), commands: place('commands') }
}

function readCommands(items: readonly unknown[]): ReadCommands {
  const commands: TerminusCommand[] = []
  const warnings: string[] = []
  const failed = (error: string): ReadCommands => ({ commands: [], error, warnings })
  const many = tooManyCommands(items.length)
  if (many !== null) return failed(many)
  for (const [index, item] of items.entries()) {
    const number = index + 1
    if (!isObject(item)) return failed(`Command ${number} must be an object`)
    if (!Object.hasOwn(item, 'keystrokes')) return failed(`Command ${number} missing required 'keystrokes' field`)
    const { keystrokes, duration, ...others } = item
    if (typeof keystrokes !== 'string') return failed(`Command ${number} 'keystrokes' must be a string`)
    const isMissing = !Object.hasOwn(item, 'duration')
    const seconds = typeof duration === 'number' ? duration : secondsDefault
    if (isMissing) warnings.push(`Command ${number}: Missing duration field, using default 1.0`)
    else if (typeof duration !== 'number') warnings.push(`Command ${number}: Invalid duration value, using default 1.0`)
    const unknown = Object.keys(others)
    if (unknown.length > 0) warnings.push(`Command ${number}: Unknown fields: ${unknown.join(', ')}`)
    warnings.push(...lineWarning(number, keystrokes, items.length))
    commands.push({ keystrokes, seconds })
  }
  return { commands, error: null, warnings }
}

/** Null where braces are not what is missing. Those in strings count, too, as they did when models learnt this. */
function withClosingBraces(text: string, error: string): string | null {
  if (!/^(?:Invalid JSON|No valid JSON found)/.test(error)) return null
  const missing = text.split('{').length - text.split('}').length
  return missing > 0 ? text + '}'.repeat(missing) : null
}

/** The bound on starting positions: each costs a walk to the end. */
const beginningsMax = 20

/** The first one in the text that is JSON. */
function firstJsonObject(text: string): string | null {
  let start = text.indexOf('{')
  for (let tries = 0; start >= 0 && tries < beginningsMax; tries++) {
    const span = objectSpan(text, start)
    const json = span === null ? null : text.slice(span.from, span.to)
    if (json !== null && 'value' in parse(json)) return json
    start = text.indexOf('{', start + 1)
  }
  return null
}
