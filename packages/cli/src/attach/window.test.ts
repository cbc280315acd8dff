import type { Frame } from '@agentpty/protocol/session'
import { expect, test } from 'vitest'
import { Window } from './window.ts'

const frame: Frame = {
  at: 0,
  size: { cols: 20, rows: 2 },
  top: 0,
  left: 0,
  isWhole: true,
  rows: [],
  cursor: null,
  modes: [],
  title: '',
}

test('hyperlinks of a row are drawn, and the row after it has none of them', () => {
  const window = new Window({ top: 0, left: 0, cols: 20, rows: 2 })
  const linked = '\x1b]8;;https://x.example/\x07\x1b[0;4mdocs\x1b]8;;\x07'
  const drawn = window.draw({
    ...frame,
    rows: [
      [0, linked],
      [1, 'text'],
    ],
  })
  expect(drawn).toContain(`\x1b[1;1H\x1b[0m\x1b[20X${linked}\x1b[0m\x1b[2;1H\x1b[0m\x1b[20Xtext`)
})
