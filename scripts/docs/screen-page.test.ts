import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { writeScreenPage } from './screen-page.ts'

test('docs/screen.md says what the table of cases says', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/screen.md'), 'utf8')
  expect(page, 'The table has changed; run: npm run docs').toBe(writeScreenPage())
})
