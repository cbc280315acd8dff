/** Whatever a program prints, the daemon's memory stays bounded, other clients are answered, and its screen is shown in time. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { Victim } from './hostile.ts'

const victim = new Victim()
beforeAll(() => victim.open())
afterAll(() => victim.close())

test.each<[string, string]>([
  ['endless marks on one character', '\u0301\u0302'],
  ['characters with many marks each', `Z${'\u0301'.repeat(24)}`],
  ['endlessly joined emoji', '\u{1f468}\u200d'],
  ['links', '\x1b]8;;http://example.org/\x07x'],
  ['queries whose answers are not read', '\x1b[c'],
  ['questions for agents', '\x1b]7501;?\x07'],
  ['marks of commands', '\x1b]133;A\x07\x1b]133;B\x07\x1b]133;C\x07\x1b]133;D;0\x07'],
  ['a string without end', 'x'.repeat(16_000)],
  ['kept titles', `\x1b]2;${'y'.repeat(2_000)}\x07\x1b[22t`],
  ['resets', '\x1bc'],
  ['resets with titles', '\x1bc\x1b]2;x\x07'],
  ['resets, text and titles of both kinds', '\x1bctext\r\n\x1b]0;one\x07\x1b[31m\x1b]2;another\x1b\\'],
  ['resets with titles that are not passed over', '\x1bc\x1b]2;\u0080\x07'],
  ['titles alone', '\x1b]2;x\x07\x1b]0;y\x07'],
  ['whole screens of E', '\x1b#8'],
  ['visits of the alternate screen', '\x1b[?1049h\x1b[?1049l'],
  ['pictures on the alternate screen and text beside', '\x1b[?1049hhello\x1b[?1049lx'],
  ['inserted lines', '\x1b[1000L'],
  ['changes of the width', '\x1b[?3h\x1b[?3l'],
  ['single bytes, each in its own write,', 'x'],
])('%s cost neither memory nor others’ time', async (what, output) => {
  // The string is opened once and continues in the repeated part.
  const begin = what.startsWith('a string') ? '\x1b]2;' : ''
  const pieceBytes = what.startsWith('single bytes') ? 1 : 16_384
  const hostility = { begin, output, pieceBytes, forMs: 1_000 }
  const { heldUpMs, commands, peakMb, keptMb, screenshotMs } = await victim.suffer(hostility)
  expect(commands).toBeGreaterThan(3)
  expect(heldUpMs).toBeLessThan(1_000)
  expect(peakMb).toBeLessThan(160)
  expect(keptMb).toBeLessThan(120)
  expect(screenshotMs).toBeLessThan(5_000)
})
