/** Recordings played in a terminal and exported, with a real recording of real programs. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCast } from '@agentpty/protocol/recording'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../harness/browser.ts'
import { program, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
const folder = scratchFolder()
const file = join(folder, 'work.cast')
let browser: BrowserContext

/** Three commands over nine seconds, with a long pause before the last one. */
const cast = [
  '{"version":3,"term":{"cols":40,"rows":6},"title":"work"}',
  '[0.1, "o", "$ "]',
  '[0.4, "m", "$ echo first"]',
  '[0.1, "o", "\\u001b[31mfirst\\u001b[m <b>\\r\\n$ "]',
  '[2.0, "m", "$ echo second"]',
  '[0.1, "o", "second ┌─┐\\r\\n"]',
  '# a comment',
  '[0.1, "r", "50x8"]',
  '[6.0, "m", "$ echo third"]',
  '[0.1, "o", "third\\r\\n"]',
  '[0.1, "x", "0"]',
]

beforeAll(async () => {
  writeFileSync(file, `${cast.join('\n')}\n`)
  browser = await openBrowser(join(folder, 'browser'))
})

afterAll(async () => {
  await browser.close()
})

test('a person plays it, pauses, moves from command to command, and leaves', async () => {
  const client = await instance.rpc()
  const command = [process.execPath, program, 'replay', file]
  const { terminalId } = await client.call('create', { command, cols: 80, rows: 12, waitFor: 'none' })
  const screen = async () => (await client.call('screenshot', { terminalId, format: 'plain' })).screen
  const shows = (text: string) => until(async () => (await screen()).includes(text))
  const press = (...keys: string[]) => client.call('sendKeys', { terminalId, keys, waitFor: 'none' })
  await shows('/0:09')
  await press('space')
  await shows('paused')
  await press('n', 'n', 'n', 'n')
  await shows('third')
  await shows('end')
  await press('home')
  await shows('0:00/0:09')
  await press('end')
  await shows('third')
  await press('p')
  await until(async () => !(await screen()).includes('third'))
  await press('space')
  await shows('second ┌─┐')
  await press('+')
  await press('q')
  const { exitCode } = await client.call('read', { terminalId, waitFor: 'exit' })
  expect(exitCode).toBe(0)
  await client.close()
})

test('it starts with the first visible output', async () => {
  const late = join(folder, 'late.cast')
  writeFileSync(late, '{"version":3,"term":{"cols":40,"rows":6}}\n[1800,"o","hello"]\n[1800,"o","bye"]\n')
  const client = await instance.rpc()
  const command = [process.execPath, program, 'replay', late, '--idle', '2h']
  const { terminalId } = await client.call('create', { command, cols: 80, rows: 12, waitFor: { text: 'hello' } })
  expect((await client.call('screenshot', { terminalId, format: 'plain' })).screen).toContain('30:0')
  await client.call('sendKeys', { terminalId, keys: ['q'], waitFor: 'exit' })
  await client.close()
})

test('it is exported as text, as asciicast 3, as an animated picture and as a GIF', async () => {
  const to = async (name: string, ...more: string[]) => {
    const path = join(folder, name)
    expect(await instance.cli('export', file, '--to', path, ...more)).toMatchObject({ code: 0, stderr: '' })
    return readFileSync(path)
  }
  expect((await to('out.txt')).toString()).toBe('$ first <b>\n$ second ┌─┐\nthird\n')
  const again = readCast((await to('out.cast')).toString(), 'out.cast')
  expect(again.events.map(({ code, data }) => [code, data])).toEqual(
    readCast(cast.join('\n'), 'it').events.map(({ code, data }) => [code, data]),
  )
  expect(Math.round(again.durationMs)).toBe(9_000)
  const svg = (await to('out.svg')).toString()
  expect(svg).toMatch(/@keyframes f0\{.*>first<.*>&lt;b&gt;<.*>third</)
  expect((await to('still.svg', '--still')).toString()).not.toContain('@keyframes')
  const gif = await to('out.gif', '--speed', '2')
  expect(gif.subarray(0, 6).toString()).toBe('GIF89a')
  expect([gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([50 * 9 + 12, 8 * 18 + 12])
  expect(gif.at(-1)).toBe(0x3b)
})

test('as a page it plays automatically, loads nothing, and runs nothing of the recording', async () => {
  const path = join(folder, 'out.html')
  await instance.cli('export', file, '--to', path)
  const page = await browser.newPage()
  const asked: string[] = []
  const failed: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => failed.push(error.message))
  await page.goto(`file://${path}`)
  const text = () => page.locator('#screen').textContent()
  await until(async () => (await text())?.includes('first<b>') === true)
  await page.keyboard.press(' ')
  await page.keyboard.press('End')
  await until(async () => (await text())?.includes('third') === true)
  await page.keyboard.press('p')
  await page.keyboard.press('p')
  await until(async () => (await text())?.includes('third') === false)
  expect(await page.locator('#label').textContent()).toMatch(/^\$ echo/)
  expect([asked, failed]).toEqual([[`file://${path}`], []])
  await page.close()
})

test('an invalid recording is refused with the next step', async () => {
  writeFileSync(join(folder, 'none.cast'), 'no recording')
  const refused = await instance.cli('replay', join(folder, 'none.cast'))
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.stderr).toContain('no asciicast of version 2 or 3')
  expect((await instance.cli('export', 'nowhere', '--to', 'x.gif')).stderr).toContain('No file, recording or terminal')
})
