import { expect, test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { OutputReader, ScreenReader } from './output-reader.ts'
import { RestMemory } from './rest.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

/** A terminal whose shell has drawn its prompt and been typed a line into. */
function reader({ capacityBytes = 100_000, commandStart = (): number | null => null } = {}) {
  const log = new OutputLog({ capacityBytes })
  const screen = new ScreenReader({ picture: () => null } as never)
  const modes = { alternateScreen: false, cursorHidden: false }
  const output = new OutputReader({ log, modes, screen, rests: new RestMemory(), commandStart })
  output.programChanged(true)
  const print = (text: string) => log.append(bytes(text))
  const type = (text: string, readsLines = false) => output.typed(bytes(text), readsLines)
  print('$ ')
  type('ssh host\r')
  print('ssh host\r\n')
  return { log, output, print, type }
}

test('the echo of the line that started a program is no text of it', () => {
  const { output, print } = reader()
  output.programChanged(false)
  expect(output.hasShownText()).toBe(false)
  print('\x1b]0;host\x07\x1b[?2004h\r\n')
  expect(output.hasShownText()).toBe(false)
  print('host$ ')
  expect(output.hasShownText()).toBe(true)
})

test('by its marks a command begins behind what the shell draws for it', () => {
  let start: number | null = null
  const { log, output, print } = reader({ commandStart: () => start })
  print('(drawn by the shell)\r\n')
  start = log.end
  output.programChanged(false)
  expect(output.hasShownText()).toBe(false)
  print('x')
  expect(output.hasShownText()).toBe(true)
})

test('after a password text is expected anew, and keys that are typed later change nothing', () => {
  const { output, print, type } = reader()
  output.programChanged(false)
  print('password: ')
  expect(output.hasShownText()).toBe(true)
  type('secret\r', true)
  print('\r\n')
  expect(output.hasShownText()).toBe(false)
  print('host$ ')
  type('cat\r')
  expect(output.hasShownText()).toBe(true)
})

test('the echo of what is typed ahead is no text, and anything else is', () => {
  const { output, print, type } = reader()
  output.programChanged(false)
  type('ls\r')
  print('ls\r\n')
  type('é')
  print('é')
  expect(output.hasShownText()).toBe(false)
  print('x')
  expect(output.hasShownText()).toBe(true)
})

test('text that is no longer kept has been there', () => {
  const { output, print } = reader({ capacityBytes: 64 })
  output.programChanged(false)
  print('\x1b[m'.repeat(30))
  expect(output.hasShownText()).toBe(true)
})
