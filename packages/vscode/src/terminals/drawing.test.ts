import { openFakeSession, openTerminal, writeAtOnce } from '@agentpty/engine/testing'
import { noneDropped } from '@agentpty/protocol/session'
import { expect, test } from 'vitest'
import { FrameDrawing } from './drawing.ts'

const tab = { cols: 20, rows: 4 }

test('a tab smaller than its terminal scrolls back to the first line, without repeats', async () => {
  const fake = openFakeSession({ size: { cols: 20, rows: 10 } })
  const emulator = openTerminal({ ...tab, scrollbackRows: 1_000 }, noneDropped())
  const drawing = new FrameDrawing(tab)
  const shown = () => {
    const { active } = emulator.buffer
    const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true))
    return rows.filter((row) => row !== '')
  }
  const over = new AbortController()
  const following = (async () => {
    const frames = { ...tab, above: true }
    for await (const event of fake.session.followers.follow({ frames, signal: over.signal }))
      if (event.type === 'frame') writeAtOnce(emulator, Buffer.from(drawing.draw(event)))
  })()
  const lines: string[] = []
  for (const count of [3, 9, 1, 2, 40]) {
    const added = Array.from({ length: count }, (_, at) => String(lines.length + at))
    lines.push(...added)
    fake.pty.prints(added.map((line) => `${line}\r\n`).join(''))
    await fake.session.screen()
    for (let round = 0; round < 10; round++) {
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
      fake.clock.advance(20)
    }
    expect(shown()).toEqual(lines)
  }
  over.abort()
  await following
})

test('hyperlinks of a terminal that is larger than its tab are links in the tab, and end with their text', async () => {
  const fake = openFakeSession({ size: { cols: 20, rows: 6 } })
  const drawing = new FrameDrawing(tab)
  let drawn = ''
  const over = new AbortController()
  const following = (async () => {
    const frames = { ...tab, above: true, links: true }
    for await (const event of fake.session.followers.follow({ frames, signal: over.signal }))
      if (event.type === 'frame') drawn += drawing.draw(event)
  })()
  fake.pty.prints('\x1b]8;;https://x.example/\x07docs\x1b]8;;\x07 text')
  await fake.session.screen()
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  over.abort()
  await following
  expect(drawn).toContain('\x1b]8;;https://x.example/\x07\x1b[0;4mdocs\x1b]8;;\x07\x1b[0m text')
})
