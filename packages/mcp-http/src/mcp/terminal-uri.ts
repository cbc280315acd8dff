/** How terminals are named as resources. */

import { ResourceNotFoundError } from '@modelcontextprotocol/server'

/** The parts of a terminal that can be read, each with what it is. */
export const terminalParts = {
  screen: 'What a person would see on it now',
  log: 'All that it has printed, as text',
  recording: 'The same with its times, to be played again (asciicast)',
} as const
export type TerminalPart = keyof typeof terminalParts

export const terminalPartNames = Object.keys(terminalParts) as readonly TerminalPart[]

export const terminalUri = (terminalId: string, part: TerminalPart): string => `terminal://${terminalId}/${part}`

/** Errors: `ResourceNotFoundError`. */
export function parseTerminalUri(uri: string): { readonly terminalId: string; readonly part: TerminalPart } {
  const [, terminalId = '', part = ''] = /^terminal:\/\/([^/?#]+)\/([a-z]+)$/.exec(uri) ?? []
  const known = terminalPartNames.find((one) => one === part)
  if (known !== undefined) return { terminalId, part: known }
  throw new ResourceNotFoundError(uri, `Of each terminal there are ${terminalPartNames.join(', ')}.`)
}
