/** Runs axe on a page. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'

/** Injected before the page’s own scripts, because its policy allows no others afterwards. */
export async function withAxe(context: BrowserContext): Promise<void> {
  const content = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await context.addInitScript({ content })
}

export async function violationsIn(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate(
    async () => await (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
