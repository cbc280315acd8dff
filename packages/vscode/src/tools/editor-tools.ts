/**
 * The tools that agents of the editor get: some of our own, each under a name that no other extension has. Their words and schemas in
 * package.json are made of those that MCP clients get; a test holds both together, and `UPDATE=1` writes them anew.
 */

/** In the order in which they are listed. */
export const offeredTools = [
  'terminal_create',
  'terminal_run',
  'terminal_send',
  'terminal_send_keys',
  'terminal_read',
  'terminal_screenshot',
  'terminal_wait',
  'terminal_list',
  'terminal_close',
] as const

export type OfferedTool = (typeof offeredTools)[number]

/** Left out: pictures are not for all models, and a text has no place for them. */
export const hiddenFields: Readonly<Partial<Record<OfferedTool, readonly string[]>>> = {
  terminal_screenshot: ['format'],
}

export const editorName = <Tool extends string>(tool: Tool): `agentpty_${Tool}` => `agentpty_${tool}`

const names = new RegExp(`(?<!_)\\b(?:${offeredTools.join('|')})\\b`, 'g')

/** Our own words say `terminal_send`: the same with the names that tools have here. */
export const inEditorNames = (text: string): string => text.replaceAll(names, (tool) => editorName(tool))
