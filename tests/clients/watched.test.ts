/** A real agent at work, as a person sees it in the page: listed, drawn live, taken over and resumed. */

import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { launchBrowser } from '../harness/browser.ts'
import { faultsOf, lookAt, screenOf, shown, signedIn } from '../harness/browser-page.ts'
import { run } from '../harness/instance.ts'
import { environmentOf, testTimeoutMs, workplaceOfEach } from './agents-at-work.ts'

const workplace = workplaceOfEach()
let browser: Browser

const script = {
  turns: [
    { match: 'Count the teapots', steps: [{ text: 'There are 42 teapots.' }] },
    { match: 'Describe the teapot', steps: [{ text: 'It has a spout.' }] },
  ],
}

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

test(
  'claude is listed, follows a person’s input in the page, and waits while they have taken it over',
  async () => {
    const { home, meetPerson } = workplace()
    const model = await startFakeModel({ script })
    const env = { ...home.env, ...environmentOf([claude], { home, modelUrl: model.url }), IS_SANDBOX: '1' }
    const cli = (...args: readonly string[]) => run(process.execPath, [home.command[1] ?? '', ...args], env)
    await meetPerson(claude)
    const spawned = await cli('agent', 'spawn', 'claude', '--cwd', home.cwd, '--name', 'helper')
    assert.equal(spawned.code, 0, spawned.stderr)
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await signedIn({ cli }, context)
    const row = page.locator('.row.agent', { hasText: 'helper' })
    await row.getByText('claude', { exact: false }).first().waitFor()
    await lookAt(page, 'helper')
    await screenOf(page).getByText('Claude Code').first().waitFor({ timeout: 60_000 })
    await page.locator('.bar .state', { hasText: 'idle' }).waitFor({ timeout: 60_000 })
    await page.keyboard.type('Count the teapots')
    await page.keyboard.press('Enter')
    await screenOf(page).getByText('There are 42 teapots.').waitFor({ timeout: 60_000 })
    await page.keyboard.press('Control+Shift+G')
    await page.getByText('You have taken over. Agents cannot type.').waitFor()
    const agent = await home.caller()
    const asked = agent.call('send', {
      terminalId: 'helper',
      text: 'Describe the teapot',
      instruct: true,
      ifTaken: 'wait',
    })
    await page.keyboard.type('Count the teapots again')
    await page.keyboard.press('Enter')
    await screenOf(page).getByText('Count the teapots again').waitFor()
    expect(await shown(page)).not.toContain('Describe the teapot')
    await page.keyboard.press('Control+Shift+G')
    await asked
    await screenOf(page).getByText('It has a spout.').waitFor({ timeout: 60_000 })
    expect(faultsOf.get(page)).toEqual([])
    await context.close()
    await model.close()
  },
  testTimeoutMs,
)
