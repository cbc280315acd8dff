/** Screens of real programs in their last reviewed state. UPDATE=1 rewrites them. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asText, drawn, inPieces, loadGolden, replay } from './replay.ts'
import { scenarios } from './scenarios.ts'

describe.each(scenarios.map(({ name }) => name))('%s', (name) => {
  const golden = loadGolden(name)

  test('looks as recorded', async () => {
    const seen = drawn(await replay(golden, [golden.bytes]))
    expect(seen).toBe(expected('screen.txt', seen))
  })

  test.each([1, 2, 3])('looks the same for any division of its bytes (seed %i)', async (seed) => {
    const whole = await replay(golden, [golden.bytes])
    expect(await replay(golden, inPieces(golden.bytes, seed))).toEqual(whole)
  })

  if (golden.lineWise) {
    test('reads as recorded', async () => {
      const text = await asText(golden)
      expect(text).toBe(expected('text.txt', text))
    })
  }

  function expected(file: string, seen: string): string {
    const path = join(golden.folder, file)
    if (process.env['UPDATE'] === '1') writeFileSync(path, seen)
    return readFileSync(path, 'utf8')
  }
})
