import { expect, test } from 'vitest'
import { removeJson, setJson } from './edit-json.ts'

const path = ['mcp', 'agentpty']
const entry = { type: 'local', command: ['agentpty', 'mcp'] }

test('a file of one line stays one, with every other byte as it was', () => {
  const before = '{"$schema":"https://opencode.ai/config.json",/* mine */"model":"x/y","provider":{"x":{"npm":"n"}}}\n'
  const after = setJson(before, path, entry)
  const added = ',"mcp":{"agentpty":{"type":"local","command":["agentpty","mcp"]}}'
  expect(after.replaceAll(/(?<=":) /g, '')).toBe(before.replace('}\n', `${added}}\n`))
  expect(removeJson(after, path)).toBe(before)
})

test.each([
  ['an empty file', '', '{\n  "mcp": {\n    "agentpty": {'],
  ['an empty object', '{}', '{\n  "mcp": {\n    "agentpty": {'],
  ['a file with tabs', '{\n\t"model": "x"\n}\n', '{\n\t"model": "x",\n\t"mcp": {\n\t\t"agentpty": {'],
])('in %s the entry is written in lines', (_what, before, begin) => {
  expect(setJson(before, path, entry).slice(0, begin.length)).toBe(begin)
})
