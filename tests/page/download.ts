/** The recording that the page's player saves. */

import { readFileSync } from 'node:fs'
import { readCast } from '@agentpty/protocol/recording'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export async function downloadCast(page: Page): Promise<ReturnType<typeof readCast>> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download recording (.cast)' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/^term-\d+\.cast$/)
  return readCast(readFileSync(await download.path(), 'utf8'), 'it')
}
