import { expect, test } from 'vitest'
import { readYes } from './read-yes.ts'

/** A terminal whose keys the test presses. */
function terminal() {
  let press = (_bytes: Uint8Array): void => {}
  let interrupt = (): void => {}
  const stopped: string[] = []
  let shown = ''
  const answer = readYes({
    terminal: {
      keys: (call) => {
        press = call
        return () => void stopped.push('keys')
      },
    },
    complain: (text) => {
      shown += text
    },
    onInterrupt: (call) => {
      interrupt = call
      return () => void stopped.push('interrupts')
    },
  })
  const keys = (text: string) => press(Buffer.from(text))
  return { answer, keys, interrupt: () => interrupt(), stopped, shown: () => shown }
}

test.each<[string, boolean]>([
  ['y\r', true],
  ['Y\n', true],
  ['yes\r', true],
  ['n\x7fy\r', true],
  ['\r', false],
  ['n\r', false],
  ['yep\r', false],
  ['y\x03', false],
  ['y\x04', false],
  ['\x1b', false],
])('the keys %j are the answer %j', async (keys, isYes) => {
  const asked = terminal()
  asked.keys(keys)
  expect(await asked.answer).toBe(isYes)
  expect(asked.stopped).toEqual(['keys', 'interrupts'])
})

test('a signal answers no', async () => {
  const asked = terminal()
  asked.keys('y')
  asked.interrupt()
  expect(await asked.answer).toBe(false)
})

test('keys are shown as they are typed, and keys after the answer are ignored', async () => {
  const asked = terminal()
  asked.keys('no\ry\r')
  expect(await asked.answer).toBe(false)
  expect(asked.shown()).toBe('no\r\n')
})
