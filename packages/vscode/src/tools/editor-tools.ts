/**
 * The tools offered to agents of the editor: a selection of our own, each with a unique name. Their texts and schemas in package.json are
 * generated from those of MCP clients. A test compares both, and `UPDATE=1` writes them.
 */

/** In the order of the list. */
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

/** Fields that are left out: not all models accept pictures, and a text result cannot contain one. */
export const hiddenFields: Readonly<Partial<Record<OfferedTool, readonly string[]>>> = {
  terminal_screenshot: ['format'],
}

export const editorName = <Tool extends string>(tool: Tool): `agentpty_${Tool}` => `agentpty_${tool}`

const names = new RegExp(`(?<!_)\\b(?:${offeredTools.join('|')})\\b`, 'g')

/** Our texts use names such as `terminal_send`; replaces them by the names in the editor. */
export const inEditorNames = (text: string): string => text.replaceAll(names, (tool) => editorName(tool))
