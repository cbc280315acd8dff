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
