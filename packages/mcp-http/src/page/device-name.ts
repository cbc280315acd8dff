/** The browser and the system, as a browser says them of itself; for persons, who know their own devices by it. */

import { deviceNameCharactersMax } from '@agentpty/protocol/page'

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bVS Code\b/, 'VS Code'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chromium)\//, 'Chromium'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** @example deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0') // 'Firefox on Linux' */
export function deviceName(userAgent: string): string {
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser = 'A browser', system] = [find(browsers), find(systems)]
  return (system === undefined ? browser : `${browser} on ${system}`).slice(0, deviceNameCharactersMax)
}
