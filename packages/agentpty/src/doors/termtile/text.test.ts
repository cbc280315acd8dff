import { expect, test } from 'vitest'
import { artifactBytesMax, cleaned, durationText, fencedResponse, fillTemplates, newLines, toArtifact } from './text.ts'

test.each<[string, string, string | null]>([
  ['without fences there is none', 'just text', null],
  ['one of several lines', 'x\n[termtile-response]\na\nb\n[/termtile-response]\ny', 'a\nb'],
  ['text beside the fences belongs to it', '[termtile-response] a\nb [/termtile-response] y', 'a\nb'],
  ['one on a line of its own', '> [termtile-response]42[/termtile-response]', '42'],
  ['the last one counts', '[termtile-response]1[/termtile-response]\n[termtile-response]2[/termtile-response]', '2'],
  ['one that is still written does not count', '[termtile-response]1[/termtile-response]\n[termtile-response]\n2', '1'],
  ['an echoed instruction is none', 'wrap it inside [termtile-response] and [/termtile-response] tags.', null],
  ['nor is one that ends its line', 'inside [termtile-response] and [/termtile-response]', null],
])('a fenced response: %s', (_name, text, response) => {
  expect(fencedResponse(text)).toBe(response)
})

test.each<[string, string, string]>([
  ['frames go', '╭────╮\n│ hi │\n╰────╯\n+----+\n====', '│ hi │'],
  ['blank lines are at most two', 'a\n\n\n\n\nb', 'a\n\n\nb'],
  ['control characters go', 'a\x07b\x1b', 'ab'],
  ['tabs and lists stay', '\ta\n- b', '\ta\n- b'],
])('a cleaned screen: %s', (_name, text, want) => {
  expect(cleaned(text)).toBe(want)
})

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['nothing new', ['a', 'b'], ['a', 'b'], []],
  ['scrolled on', ['a', 'b', 'c'], ['b', 'c', 'd'], ['d']],
  ['the last line went on', ['a', '$'], ['a', '$ ls', 'b', '$'], ['$ ls', 'b', '$']],
  ['nothing in common', ['a'], ['x', 'y'], ['x', 'y']],
  ['the first look', [], ['x'], ['x']],
])('new lines: %s', (_name, earlier, later, want) => {
  expect(newLines(earlier, later)).toEqual(want)
})

test('templates of known slots are filled, once', () => {
  const outputs = new Map([[1, 'one {{slot_2.output}}']])
  expect(fillTemplates('{{slot_1.output}} {{ slot_1.output }} {{slot_3.output}}', outputs)).toBe(
    'one {{slot_2.output}} one {{slot_2.output}} {{slot_3.output}}',
  )
})

test('an artifact that is too long keeps its head, and its warning within the bound', () => {
  const { output, originalBytes, storedBytes, warning } = toArtifact('é'.repeat(1_000_000))
  expect(originalBytes).toBe(2_000_000)
  expect(storedBytes).toBeLessThanOrEqual(artifactBytesMax)
  expect(storedBytes).toBeGreaterThan(artifactBytesMax - 4)
  expect(warning).toBe('artifact truncated from 2000000 bytes to 1048576 bytes')
  expect(output.endsWith(`é\n\n[termtile-warning] ${warning}\n`)).toBe(true)
  expect(toArtifact('short')).toEqual({ output: 'short', originalBytes: 5, storedBytes: 5, warning: null })
})

test.each<[number, string]>([
  [300, '5m0s'],
  [5, '5s'],
  [90, '1m30s'],
  [3_600, '1h0m0s'],
])('%i seconds are written %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})
