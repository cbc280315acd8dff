/** Reads a Responses request: its conversation, and its tools wherever they are. */

import { at, listAt, textAt, textOf } from '../json.ts'
import { codeMode } from '../tools.ts'
import type { Entry, OfferedTool } from '../types.ts'

export function readInput(item: unknown): readonly Entry[] {
  const type = textAt(item, 'type')
  const id = textAt(item, 'call_id')
  const content = at(item, 'content')
  if (/_(call_)?output$/.test(type)) {
    return [{ kind: 'result', id, text: textOf(at(item, 'output') ?? at(item, 'tools')) }]
  }
  if (/_call$/.test(type)) return [{ kind: 'call', id, text: textAt(item, 'name') || type }]
  if (at(item, 'role') === 'user') return [content].flat().map((part) => ({ kind: 'user', text: textOf(part) }))
  return at(item, 'role') === 'assistant' ? [{ kind: 'assistant', text: textOf(content) }] : []
}

/** Tools come with the request, from a search that found them, or in an item of their own (code mode). */
export function readTools(offered: readonly unknown[], input: readonly unknown[]): readonly OfferedTool[] {
  const found = input
    .filter((item) => /^(tool_search_output|additional_tools)$/.test(textAt(item, 'type')))
    .flatMap((item) => listAt(item, 'tools'))
  return [...offered, ...found].flatMap((tool): readonly OfferedTool[] => {
    const type = at(tool, 'type')
    const name = textAt(tool, 'name')
    if (type === 'namespace') return listAt(tool, 'tools').map((inner) => inNamespace(name, inner))
    if (type === 'tool_search') return [{ name: 'tool_search', wire: { name: 'tool_search', form: 'search' } }]
    return name === '' ? [] : [{ name, wire: { name } }]
  })
}

function inNamespace(namespace: string, tool: unknown): OfferedTool {
  const name = textAt(tool, 'name')
  const isCustom = at(tool, 'type') === 'custom'
  const runsCode = isCustom && name === 'exec' && /JavaScript/.test(textAt(tool, 'description'))
  return {
    name: runsCode ? codeMode : `${namespace}/${name}`,
    wire: { name, namespace, ...(isCustom ? { form: 'custom' } : {}) },
  }
}
