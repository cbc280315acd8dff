import { readFileSync, writeFileSync } from 'node:fs'
import { listTools } from '@agentpty/mcp-http/testing'
import { expect, test } from 'vitest'
import { observedTools } from '../observed/observed-tool-words.ts'
import { editorName, hiddenFields, inEditorNames, type OfferedTool, offeredTools } from './editor-tools.ts'

const file = new URL('../../package.json', import.meta.url)
const manifest = JSON.parse(readFileSync(file, 'utf8'))

/** Builds the contribution of one of our tools in the editor's format. */
function contributed(tool: OfferedTool) {
  const found = listTools().find(({ name }) => name === tool)
  if (found === undefined) throw new Error(`no tool ${tool}`)
  const { description, inputSchema, annotations } = found
  const hidden = hiddenFields[tool] ?? []
  const fields = Object.entries(inputSchema.properties ?? {}).filter(([name]) => !hidden.includes(name))
  return {
    name: editorName(tool),
    toolReferenceName: editorName(tool),
    displayName: annotations?.title,
    userDescription: annotations?.title,
    modelDescription: inEditorNames(description),
    canBeReferencedInPrompt: true,
    icon: '$(terminal)',
    tags: ['terminal', 'agentpty'],
    when: "config.agentpty.agentTools == 'editor' || config.agentpty.agentTools == 'both'",
    inputSchema: JSON.parse(inEditorNames(JSON.stringify({ ...inputSchema, properties: Object.fromEntries(fields) }))),
  }
}

test('the editor gets the same texts and schemas as MCP clients', () => {
  const want = [...offeredTools.map(contributed), ...observedTools]
  if (process.env['UPDATE'] === '1') {
    manifest.contributes.languageModelTools = want
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
  expect(manifest.contributes.languageModelTools).toEqual(want)
})

test('tool names in texts are replaced by their names here, once', () => {
  expect(inEditorNames('Look with terminal_read, then terminal_send_keys.')).toBe(
    'Look with agentpty_terminal_read, then agentpty_terminal_send_keys.',
  )
  expect(inEditorNames(inEditorNames('terminal_read'))).toBe('agentpty_terminal_read')
})
