/** The detail view in a browser, at the height of the panel below the editor. */

import type { Overview } from '@agentpty/protocol/overview'
import { exampleItem, FakeClock, nodeWith } from '@agentpty/protocol/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detailsHtml, frameHtml } from '../../packages/vscode/src/details/details-html.ts'
import { Observable } from '../../packages/vscode/src/link/observable.ts'
import { rowOf } from '../../packages/vscode/src/testing/fake-daemon.ts'
import { TerminalsTree } from '../../packages/vscode/src/tree/terminals-tree.ts'
import { launchBrowser } from '../harness/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
})

/** 14 rows of 18 pixels. */
const height = 252

/** The view of a terminal that asks, with more events than the panel has rows. */
async function open(width: number) {
  const row = rowOf('term-1', {
    name: 'build',
    need: 'password',
    program: 'bash',
    cwd: '/home/ada/project/of/some/length',
  })
  const nodes = [nodeWith('team', { label: 'Team' }), nodeWith('node-1', { terminalId: 'term-1', parentId: 'team' })]
  const overview = new Observable<Overview | null>({ rows: [row], nodes, needs: [] })
  const clock = new FakeClock()
  const { all } = new TerminalsTree(overview, clock)
  const entry = all.find((one) => one.row !== null)
  if (entry === undefined) throw new Error('The tree has no terminal.')
  const items = Array.from({ length: 20 }, () => exampleItem)
  const about = { above: all.filter((one) => one.row === null), children: [], sum: null, beganAt: 1, hasOlder: true }
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(frameHtml({ script: 'none.js', nonce: 'n', title: 'build' }))
  await page.evaluate(
    (html) => {
      document.getElementById('details')?.insertAdjacentHTML('beforeend', html)
      document.getElementById('said')?.append('Copied its output.')
      document.documentElement.style.font = '13px / 18px sans-serif'
    },
    detailsHtml({ ...about, entry, items }),
  )
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox()
    if (box === null) throw new Error(`${selector} is not shown.`)
    return { top: box.y, bottom: box.y + box.height }
  }
  return { page, boxOf }
}

test('in a wide panel of 14 rows, the newest events are beside the facts', async () => {
  const { page, boxOf } = await open(900)
  expect((await boxOf('.items li:nth-child(4)')).bottom).toBeLessThanOrEqual(height)
  expect((await boxOf('#happened')).top).toBeGreaterThanOrEqual((await boxOf('.buttons')).bottom)
  const shots = process.env['AGENTPTY_SHOTS']
  if (shots !== undefined) await page.screenshot({ path: `${shots}/details-panel.png` })
})

test.each([300, 900])('at a width of %d, everything can be scrolled to and nothing covers its end', async (width) => {
  const { page, boxOf } = await open(width)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  expect((await boxOf('#older')).bottom).toBeLessThanOrEqual((await boxOf('#said')).top)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
})
