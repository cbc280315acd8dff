/** The fixture of a test file: an instance and a browser, and for each test a signed-in page whose terminals are closed afterwards. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { launchBrowser } from './browser.ts'
import { closeAll, faultsOf, pageInstance, type SignedInOptions, signedIn } from './browser-page.ts'
import type { Instance } from './instance.ts'

/** A third of a test's time limit. */
const waitMs = 60_000

export interface EachPageOptions extends Pick<SignedInOptions, 'room'> {
  readonly launch?: LaunchOptions
  readonly browser?: BrowserContextOptions
  /** Further variables of the instance, and its config.yaml. */
  readonly env?: Readonly<Record<string, string>>
  readonly settings?: string
  /** Prepares the browser before there is a page. */
  readonly context?: (context: BrowserContext) => Promise<void>
  /** Runs before the page signs in. */
  readonly before?: (instance: Instance) => Promise<void>
  /** False: the test signs in itself after its preparation, and sets `page`. */
  readonly signsIn?: boolean
  /** Runs with the page before each test. */
  readonly ready?: (page: Page) => Promise<void>
}

export interface EachPage {
  readonly instance: Instance
  readonly browser: Browser
  readonly context: BrowserContext
  page: Page
}

/** To be called at the top of the file. Its fields are those of the running test. */
export function eachPage({
  launch,
  env,
  settings,
  browser: options = {},
  context: prepare,
  before,
  signsIn = true,
  ready,
  ...signIn
}: EachPageOptions = {}): EachPage {
  const instance = pageInstance(env)
  if (settings !== undefined) writeFileSync(join(instance.home, 'config.yaml'), settings)
  const now: { browser?: Browser; context?: BrowserContext; page?: Page } = {}
  const there = <Thing>(thing: Thing | undefined): Thing => thing ?? assert.fail('no test has started')
  beforeAll(async () => {
    await instance.status()
    now.browser = await launchBrowser(launch)
  })
  beforeEach(async () => {
    now.context = await there(now.browser).newContext(options)
    now.context.setDefaultTimeout(waitMs)
    await prepare?.(now.context)
    await before?.(instance)
    delete now.page
    if (!signsIn) return
    now.page = await signedIn(instance, now.context, signIn)
    await ready?.(now.page)
  })
  afterEach(async () => {
    if (now.page !== undefined) expect(faultsOf.get(now.page)).toEqual([])
    await now.context?.close()
    await closeAll(instance)
  })
  afterAll(() => now.browser?.close())
  return {
    instance,
    get browser() {
      return there(now.browser)
    },
    get context() {
      return there(now.context)
    },
    get page() {
      return there(now.page)
    },
    set page(page) {
      now.page = page
    },
  }
}
