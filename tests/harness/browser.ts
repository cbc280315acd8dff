/** Starts the Chromium of this machine. */

import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core'

const common: LaunchOptions = {
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
}

export const launchBrowser = (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ ...common, ...options })

/** Starts a browser that stores its state in the folder `profile`, as a person's browser does. */
export const openBrowser = (profile: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, common)
