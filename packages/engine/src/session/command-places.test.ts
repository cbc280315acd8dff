/** The rows of commands on the screen, whatever has scrolled, been wiped or never been drawn. */

import { expect, test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { Timeline } from '../log/timeline.ts'
import { CommandTracker } from '../marks/command-tracker.ts'
import { MarkScanner } from '../marks/mark-scanner.ts'
import { Screen } from '../screen/screen.ts'
import { commandPlaces, lineOfCommand } from './command-places.ts'

const timeline = new Timeline({ cols: 20, rows: 5 })

const run = (line: string, output: string, code = 0) =>
  `\x1b]133;A\x07$ \x1b]133;B\x07${line}\r\n\x1b]133;C\x07${output}\x1b]133;D;${code}\x07`

async function places(output: string, drawn = output) {
  const log = new OutputLog({ capacityBytes: 1_000_000 })
  const commands = new CommandTracker()
  const scanner = new MarkScanner()
  const bytes = Buffer.from(output)
  for (const mark of scanner.scan(bytes, 0)) commands.apply(mark, 0)
  log.append(bytes)
  const screen = new Screen({ cols: 20, rows: 5, scrollbackRows: 100, offset: 0, version: '', onReply: () => {} })
  await new Promise<void>((parsed) => screen.feed(Buffer.from(drawn), parsed))
  const found = commandPlaces({ commands, log, timeline }, screen).map(({ row, offset, end, exitCode }) => ({
    row,
    text: output.slice(offset, end ?? undefined),
    exitCode,
  }))
  screen.dispose()
  return found
}

test('each has the row of its prompt, counted with those above the screen', async () => {
  expect(await places(run('one', '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n') + run('two', 'x\r\n', 2))).toEqual([
    { row: 0, text: '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n', exitCode: 0 },
    { row: 7, text: 'x\r\n', exitCode: 2 },
  ])
})

test('a prompt of several rows begins at its first one, and a line may wrap', async () => {
  const prompt =
    '\x1b]133;A\x07folder\r\n> \x1b]133;B\x07a long line that wraps around\r\n\x1b]133;C\x07x\r\n\x1b]133;D;0\x07'
  expect(await places(`before\r\n${prompt}`)).toMatchObject([{ row: 1, text: 'x\r\n' }])
})

test('after a reset only what came later has a place', async () => {
  expect(await places(`${run('one', '1\r\n')}\x1bc${run('two', '2\r\n')}`)).toMatchObject([
    { row: null, text: '1\r\n' },
    { row: 0, text: '2\r\n' },
  ])
})

test('what was never drawn does not get the place of another', () => {
  const output = run('one', '1\r\n') + run('two', '2\r\n') + run('three', '3\r\n')
  const log = new OutputLog({ capacityBytes: 1_000_000 })
  const commands = new CommandTracker()
  for (const mark of new MarkScanner().scan(Buffer.from(output), 0)) commands.apply(mark, 0)
  log.append(Buffer.from(output))
  // The second one was passed over: the emulator knows two rows of three commands.
  const rows = ['$ one', '1', '$ three', '3']
  const rowsText = (first: number, count: number) => rows.slice(first, first + count).join('')
  const found = commandPlaces({ commands, log, timeline }, { parsedTo: log.end, commandRows: [0, 2], rowsText })
  expect(found.map(({ row }) => row)).toEqual([null, null, 2])
})

test('the echo of a line that was typed ahead is not a part of the line', () => {
  const prompt = '\x1b]133;A\x07$ \x1b]133;B\x07'
  const output = `echo a${prompt}echo a\r\x1b[K\r$ echo a\r\n\x1b[?2004l\r\x1b]133;C\x07a\r\n\x1b]133;D;0\x07`
  const log = new OutputLog({ capacityBytes: 1_000_000 })
  const commands = new CommandTracker()
  for (const mark of new MarkScanner().scan(Buffer.from(output), 0)) commands.apply(mark, 0)
  log.append(Buffer.from(output))
  expect(commands.commands.map((command) => lineOfCommand(command, { log, timeline }))).toEqual(['echo a'])
})
