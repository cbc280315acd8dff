/** Names of tools: a script uses `server/tool`, and every client spells and hides it in its own way. */

import type { ModelRequest, OfferedTool, Wire } from './types.ts'

/** Codex's code mode: the model writes JavaScript for one `exec` tool instead of calling tools one by one. */
export const codeMode = '(code mode)'

/** Tools that find other tools. */
export const isDiscovery = (tool: string): boolean => /^(ToolSearch|tool_search|tool_search_call)$/.test(tool)

const flat = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')

/** The tool that a script names: `mcp__server__tool`, `mcp_server_tool`, `server_tool`, `server-tool` and the like. */
export function findTool(wanted: string, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const name = flat(wanted)
  const last = flat(wanted.split('/').at(-1) ?? wanted)
  return (
    tools.find((tool) => tool.name === wanted) ??
    tools.find((tool) => flat(tool.name) === name) ??
    tools.find((tool) => flat(tool.name) === `mcp_${name}`) ??
    tools.find((tool) => flat(tool.name).endsWith(`_${name}`)) ??
    (wanted.includes('/') ? tools.find((tool) => flat(tool.name) === last) : undefined) ??
    tools.find((tool) => tool.name === codeMode)
  )
}

/** The full name of a hidden tool, as the client lists it somewhere in the conversation. */
export function listedTool(wanted: string, { entries }: ModelRequest): string {
  const names = new Set(entries.flatMap(({ text }) => text.match(/\bmcp__[\w-]+/g) ?? []))
  const listed = [...names].map((name) => ({ name, wire: { name } }))
  return findTool(wanted, listed)?.name ?? (wanted.includes('/') ? `mcp__${wanted.replace('/', '__')}` : wanted)
}

/** The form of a call of `tool` on the wire to this client. */
export function addressCall(
  tool: string,
  args: unknown,
  request: ModelRequest,
): { readonly wire: Wire; readonly args: unknown } {
  const found = findTool(tool, request.tools)
  if (found === undefined) return addressHidden(tool, args, request)
  const isCode = found.name === codeMode && flat(tool) !== 'exec'
  return { wire: found.wire, args: isCode ? asCode(tool, args) : args }
}

/** Qwen Code calls hidden tools through the tool `tool_call`; other clients use the plain name. */
function addressHidden(tool: string, args: unknown, request: ModelRequest) {
  if (!request.tools.some(({ name }) => name === 'tool_call')) return { wire: { name: tool }, args }
  return { wire: { name: 'tool_call' }, args: { name: listedTool(tool, request), arguments: args } }
}

function asCode(tool: string, args: unknown): string {
  return [
    `const want = ${JSON.stringify(flat(tool))};`,
    'const flat = (s) => s.toLowerCase().replace(/[^a-z0-9]+/g, "_");',
    'const t = ALL_TOOLS.find((t) => flat(t.name) === want) ?? ALL_TOOLS.find((t) => flat(t.name).endsWith("_" + want));',
    'if (!t) { text("no such tool: " + want); exit(); }',
    `const r = await tools[t.name](${JSON.stringify(args)});`,
    'for (const c of r?.content ?? [r]) { if (c && c.type === "image") image(c); else text(c?.text ?? c); }',
  ].join('\n')
}
