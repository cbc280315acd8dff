/** Input over a slow connection: shown early if the terminal will echo it, and never otherwise. */

import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { lookAt, openTerminal, screenOf, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'

const at = eachPage()
const { instance } = at

/** Delays messages to and from the daemon in order; on request until they are released. */
class SlowLine {
  delayMs = 0
  #delayed: (() => void)[] | null = null

  async between(page: Page): Promise<void> {
    await page.routeWebSocket(/\/wire$/, (route: WebSocketRoute) => {
      const server = route.connectToServer()
      route.onMessage((message) => this.#pass(page, () => server.send(message)))
      server.onMessage((message) => this.#pass(page, () => route.send(message)))
    })
  }

  hold(): void {
    this.#delayed = []
  }

  letGo(): void {
    const delayed = this.#delayed ?? []
    this.#delayed = null
    for (const pass of delayed) pass()
  }

  #passing: Promise<void> = Promise.resolve()

  #pass(page: Page, pass: () => void): void {
    if (this.#delayed !== null) {
      this.#delayed.push(pass)
      return
    }
    if (this.delayMs === 0) {
      pass()
      return
    }
    const due = page.waitForTimeout(this.delayMs).catch(() => {})
    this.#passing = Promise.all([this.#passing, due]).then(() => {
      if (this.#delayed === null) pass()
      else this.#delayed.push(pass)
    })
  }
}

async function slowPage(name: string): Promise<{ page: Page; line: SlowLine }> {
  const line = new SlowLine()
  const context = await at.browser.newContext()
  context.setDefaultTimeout(15_000)
  const page = await signedIn(instance, context, { before: (one) => line.between(one) })
  await lookAt(page, name)
  line.delayMs = 100
  return { page, line }
}

/** The text drawn over the terminal, if it matches. */
const over = (page: Page, text: string | RegExp = /\S/) => page.locator('.local-echo', { hasText: text })

/** Types some keys, from which the page learns that the connection is slow. */
async function learn(page: Page): Promise<void> {
  for (const letters of ['a', 'ab', 'abc']) {
    await page.keyboard.type(letters.slice(-1))
    await screenOf(page).getByText(letters).first().waitFor()
  }
  const isShown = async () => {
    const shown = over(page, 'd').waitFor({ timeout: 2_000 })
    await page.keyboard.type('d')
    return shown.then(
      () => true,
      () => false,
    )
  }
  await until(async () => {
    // The first key may arrive while earlier input is still on its way.
    if ((await isShown()) || (await isShown())) return true
    // On a busy machine, a late echo counts as a wrong prediction; the next line starts again.
    await page.keyboard.press('Enter')
    return false
  })
  await over(page).waitFor({ state: 'detached' })
}

test('a letter is shown before the terminal has it, and is replaced by the terminal’s own', async () => {
  await openTerminal(instance, 'slow', 'cat')
  const { page, line } = await slowPage('slow')
  await learn(page)
  line.hold()
  await page.keyboard.type('Z')
  await over(page, 'Z').waitFor()
  expect(await screenOf(page).textContent()).not.toContain('Z')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('Y')
  await over(page, 'Y').waitFor()
  line.letGo()
  await screenOf(page).getByText('Y').first().waitFor()
  await over(page).waitFor({ state: 'detached' })
  await page.context().close()
})

test('input at a shell’s prompt is shown immediately, and after Enter only from the next prompt on', async () => {
  await openTerminal(instance, 'shell')
  const { page, line } = await slowPage('shell')
  await learn(page)
  line.hold()
  await page.keyboard.type('Z')
  await over(page, 'Z').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Q')
  expect(await page.locator('.local-echo').allTextContents()).not.toContain('Q')
  line.letGo()
  await over(page).waitFor({ state: 'detached' })
  await page.context().close()
})

test('at a password prompt nothing is shown early, even if typed before the prompt', async () => {
  await openTerminal(instance, 'hidden')
  const { page } = await slowPage('hidden')
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const note = () => {
      for (const one of document.querySelectorAll('.local-echo')) seen.push(one.textContent ?? '')
    }
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await learn(page)
  await page.keyboard.press('Control+u')
  await page.keyboard.type("read -rsp 'PIN: ' x; echo; echo length ${#x}\n")
  // Typed before the prompt, and then at it. Not at the line that asks for it: bash would read its Enter as no Enter.
  await page.keyboard.type('9876')
  await screenOf(page).locator(':scope > div', { hasText: /^PIN:/ }).waitFor()
  await page.keyboard.type('54321')
  await page.keyboard.press('Enter')
  await screenOf(page).getByText('length 9', { exact: true }).waitFor()
  const seen = await page.evaluate(() => Reflect.get(globalThis, 'seen') as string[])
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.join()).not.toMatch(/[1-9]/)
  await page.context().close()
})

test('on a fast connection nothing is drawn over the terminal', async () => {
  await openTerminal(instance, 'fast', 'cat')
  await lookAt(at.page, 'fast')
  await at.page.evaluate(() => {
    // As fast as possible, however busy the machine is.
    performance.now = () => 0
    const count = { of: 0 }
    Object.assign(globalThis, { count })
    new MutationObserver(() => {
      count.of += document.querySelectorAll('.local-echo').length
    }).observe(document.body, { childList: true, subtree: true })
  })
  for (const letter of 'hello') {
    await at.page.keyboard.type(letter)
    await screenOf(at.page).getByText(letter).first().waitFor()
  }
  expect(await at.page.evaluate(() => (Reflect.get(globalThis, 'count') as { of: number }).of)).toBe(0)
})
