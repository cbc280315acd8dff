/** Pictures of screens, for MCP clients and for people on the command line. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
const folder = scratchFolder()

/** In two parts, so that the printing command line is not masked. */
const head = 'ghp_'
const rest = 'aB3dE5gH7j'.repeat(3).concat('aB3dE5')
const printing = ['bash', '-c', `printf '\\033[41mwarm\\033[m token: ${head}'; printf '${rest}\\n'; exec cat`]

const open = async () => {
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', {
    command: printing,
    cols: 60,
    rows: 4,
    waitFor: { text: 'aB3dE5' },
  })
  const look = (format: string) =>
    agent.protocol.callTool({ name: 'terminal_screenshot', arguments: { terminalId, format } })
  return { agent, terminalId, look }
}

const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

test('a PNG is an image for a model, with its size and the turn as text', async () => {
  const { agent, look } = await open()
  const { content } = await look('png')
  const [text, image] = content
  assert(text?.type === 'text' && image?.type === 'image')
  expect(JSON.parse(text.text)).toMatchObject({ rows: 4, cols: 60, state: 'ready', width: 552, height: 84 })
  expect(image.mimeType).toBe('image/png')
  const png = Buffer.from(image.data, 'base64')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(sizeOf(png)).toEqual([552, 84])
  await agent.close()
})

test('an SVG is a resource, with secrets hidden cell by cell', async () => {
  const { agent, look } = await open()
  const { content, structuredContent } = await look('svg')
  const [, part] = content
  assert(part?.type === 'resource' && 'text' in part.resource)
  expect(part.resource.mimeType).toBe('image/svg+xml')
  expect(part.resource.text).toMatch(/^<svg .*>warm token: \[masked: GitHub token\]\*+<.*<\/svg>$/)
  expect(JSON.stringify({ content, structuredContent })).not.toContain(rest.slice(0, 12))
  await agent.close()
})

test('the command line writes a picture into a file, in the format of its name', async () => {
  const { agent, terminalId } = await open()
  const png = join(folder, 'screen.png')
  const svg = join(folder, 'screen.svg')
  expect(await instance.cli('screen', terminalId, '-o', png)).toMatchObject({ code: 0, stdout: '' })
  expect(sizeOf(readFileSync(png))).toEqual([552, 84])
  expect(await instance.cli('screen', terminalId, '-o', svg, '--theme', 'light')).toMatchObject({ code: 0 })
  expect(readFileSync(svg, 'utf8')).toContain('fill="#ffffff"')
  const printed = await instance.cli('screen', terminalId, '--format', 'svg')
  expect(printed.stdout).toMatch(/^<svg/)
  await agent.close()
})
