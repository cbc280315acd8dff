/**
 * A reply of a model that speaks as Terminus-2 wants it, as JSON or as XML: the keystrokes that it asks for, and what is to be said to it of
 * the reply itself. Messages are those that models were trained to read.
 */

import { TermError } from '@agentpty/protocol'
import { replyCharactersMax, terminusSecondsMax } from '@agentpty/protocol/gym'
import { readJsonReply } from './terminus-json.ts'
import type { ReplyRead, TerminusCommand } from './terminus-reply.ts'
import { readXmlReply } from './terminus-xml.ts'

export type TerminusFormat = 'json' | 'xml'

export interface TerminusReply {
  readonly commands: readonly TerminusCommand[]
  readonly isTaskComplete: boolean
  /** Nothing can be done of the reply. */
  readonly error: string | null
  /** One line each, with `- ` before it. */
  readonly warning: string | null
  readonly analysis: string
  readonly plan: string
}

/** Errors: `limit_reached`. */
export function parseTerminusReply(text: string, format: TerminusFormat): TerminusReply {
  if (text.length > replyCharactersMax)
    throw new TermError(
      'limit_reached',
      `The reply has more than ${replyCharactersMax} characters.`,
      'Ask for a shorter one.',
    )
  const read = format === 'json' ? readJsonReply(text) : readXmlReply(text)
  // Who is done needs no more commands, so a broken one is worth a word only.
  return read.error !== null && read.isTaskComplete
    ? replyOf({ ...read, error: null, commands: [], warnings: [...read.warnings, read.error] })
    : replyOf(read)
}

function replyOf({ commands, isTaskComplete, error, warnings, analysis, plan }: ReplyRead): TerminusReply {
  return {
    commands: commands.map(({ keystrokes, seconds }) => ({
      keystrokes,
      seconds: Math.min(Math.max(seconds, 0), terminusSecondsMax),
    })),
    isTaskComplete,
    error,
    warning: warnings.length === 0 ? null : warnings.map((warning) => `- ${warning}`).join('\n'),
    analysis,
    plan,
  }
}

/** What the model is told of its reply, before what the terminal shows; null when there is nothing to say. */
export function terminusFeedback({ error, warning }: TerminusReply, format: TerminusFormat): string | null {
  if (error !== null) {
    const warnings = warning === null ? '' : `\nWARNINGS: ${warning}`
    const wanted = format === 'json' ? 'JSON response' : 'response'
    return `Previous response had parsing errors:\nERROR: ${error}${warnings}\n\nPlease fix these issues and provide a proper ${wanted}.`
  }
  return warning === null ? null : `Previous response had warnings:\nWARNINGS: ${warning}`
}
