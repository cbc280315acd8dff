/** The pictures of the page: its views, in dark and light, and one terminal on a phone. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from '../../tests/harness/browser.ts'
import { pictureFile, type Scene } from './scene.ts'

const desktop: BrowserContextOptions = { viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' }
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 760 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  colorScheme: 'dark',
}

export async function drawPage(scene: Scene): Promise<void> {
  const browser = await launchBrowser()
  try {
    await drawDesktop(browser, scene)
    await drawPhone(browser, scene)
  } finally {
    await browser.close()
  }
}

async function drawDesktop(browser: Browser, scene: Scene): Promise<void> {
  const page = await signIn(scene, await browser.newPage(desktop), 'Agents')
  await page.keyboard.press('w')
  await page.locator('.tile', { hasText: 'docs-writer' }).waitFor()
  await inBoth(page, 'page-wall', allTilesDrawn)
  await page.keyboard.press('n')
  await page.getByText('deletes').first().waitFor()
  // The terminal of the selected card is shown beside it.
  await page.getByText('rm -r build').click()
  await page.locator('.peek pre').getByText('chunk-00').waitFor()
  await inBoth(page, 'page-needs')
  await page.keyboard.press('t')
  await inBoth(page, 'page-agents')
  await page.locator('.rows .name').getByText('tests', { exact: true }).click()
  await page.locator('.xterm-rows').getByText('5 passed').waitFor()
  await inBoth(page, 'page-terminal')
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.locator('.item', { hasText: '$ sed' }).first().click()
  await page.locator('.xterm-rows').getByText('1 failed').waitFor()
  await inBoth(page, 'page-replay')
  await page.close()
}

async function drawPhone(browser: Browser, scene: Scene): Promise<void> {
  const page = await signIn(scene, await browser.newPage(phone), 'Needs you')
  await page.getByRole('link', { name: 'Agents' }).tap()
  await page.locator('.rows .name').getByText('tests', { exact: true }).tap()
  await page.locator('.lines').getByText('5 passed').waitFor()
  await page.screenshot({ path: pictureFile('page-phone.png') })
  await page.close()
}

async function signIn({ agentpty }: Scene, page: Page, view: string): Promise<Page> {
  await page.goto(await agentpty('open', '--print'))
  await page.getByRole('heading', { name: view, exact: true }).waitFor()
  await page.getByTitle('Connected', { exact: true }).waitFor()
  return page
}

/** `drawn` waits for what the view draws later. */
async function inBoth(page: Page, name: string, drawn?: (page: Page) => Promise<unknown>): Promise<void> {
  // Nothing below the mouse is to be highlighted.
  await page.mouse.move(0, 0)
  for (const [scheme, ending] of [
    ['light', '-light'],
    ['dark', ''],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await drawn?.(page)
    await page.screenshot({ path: pictureFile(`${name}${ending}.png`) })
  }
}

/**
 * Resolves when each tile has text: its worker draws it some time after the page. The function runs in the browser, where functions with
 * names need a helper of the compiler that is not there.
 */
const allTilesDrawn = (page: Page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLCanvasElement>('.tile canvas')].every((canvas) => {
      const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
      context?.drawImage(canvas, 0, 0)
      const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: new Uint8ClampedArray() }
      const greens = data.filter((_, index) => index % 4 === 1)
      const background = greens.at(-1) ?? 0
      const hasText = greens.some((green) => Math.abs(green - background) > 60)
      return hasText && data.at(-1) === 255
    }),
  )
