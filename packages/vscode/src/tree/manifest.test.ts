import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const { contributes } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

test('the list of needs begins with a quarter of the side bar, and the terminals with the rest', () => {
  const sizes = contributes.views.agentpty.map(({ id, initialSize }: Record<string, unknown>) => [id, initialSize])
  expect(sizes.slice(0, 2)).toEqual([
    ['agentpty.needs', 1],
    ['agentpty.terminals', 3],
  ])
})

test('the palette offers to clear the filter only where there is one', () => {
  expect(contributes.menus.commandPalette).toContainEqual({
    command: 'agentpty.clearFilter',
    when: 'agentpty.filtered',
  })
})
