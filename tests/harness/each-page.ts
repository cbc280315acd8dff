/** For the tests of one file: an instance, a browser, and for each test a page that has signed in and whose terminals are closed afterwards. */

import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { closeAll, faultsOf, launchBrowser, pageInstance, type SignedInOptions, signedIn } from './browser-page.ts'
import type { Instance } from './instance.ts'

export interface EachPageOptions extends Pick<SignedInOptions, 'room'> {
  readonly browser?: BrowserContextOptions
  /** For the browser, before there is a page. */
  readonly context?: (context: BrowserContext) => Promise<void>
  /** Before the page signs in. */
  readonly before?: (instance: Instance) => Promise<void>
  /** With the page, before each test. */
  readonly ready?: (page: Page) => Promise<void>
}

export interface EachPage {
  readonly instance: Instance
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
}

/** To be called at the top of the file; its fields are those of the test that runs. */
export function eachPage({
  browser: options = {},
  context: prepare,
  before,
  ready,
  ...signIn
}: EachPageOptions = {}): EachPage {
  const instance = pageInstance()
  const now: { browser?: Browser; context?: BrowserContext; page?: Page } = {}
  const there = <Thing>(thing: Thing | undefined): Thing => thing ?? assert.fail('no test has begun')
  beforeAll(async () => {
    await instance.status()
    now.browser = await launchBrowser()
  })
  beforeEach(async () => {
    now.context = await there(now.browser).newContext(options)
    await prepare?.(now.context)
    await before?.(instance)
    now.page = await signedIn(instance, now.context, signIn)
    await ready?.(now.page)
  })
  afterEach(async () => {
    expect(faultsOf.get(there(now.page))).toEqual([])
    await now.context?.close()
    await closeAll(instance)
  })
  afterAll(async () => {
    await now.browser?.close()
    assert.deepEqual(await instance.stop(), [])
  })
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
  }
}
