/** The names of terminals as resources. */

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

/** The terminal as a page that hosts of MCP Apps show in a chat (`packages/agentpty/view`). */
export const viewExtension = 'io.modelcontextprotocol/ui'
export const viewUri = 'ui://agentpty/terminal'

const mimeType = 'text/html;profile=mcp-app'

/** The page draws its own frame and loads nothing. */
export const viewContents = (page: string) => ({
  uri: viewUri,
  mimeType,
  text: page,
  _meta: { ui: { prefersBorder: false } },
})
