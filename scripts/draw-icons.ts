/** Draws the icons of the page as pixels, with the browser of the tests. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { launchBrowser } from '../tests/harness/browser.ts'

const folder = path.resolve('packages/web/icons')

/** Name, source and size in pixels. iOS fills transparent corners with black, so its icon has none. */
const icons = [
  ['icon-192', 'icon.svg', 192],
  ['icon-512', 'icon.svg', 512],
  ['maskable-512', 'sources/maskable.svg', 512],
  ['apple-180', 'sources/maskable.svg', 180],
  ['badge-96', 'sources/badge.svg', 96],
] as const

const browser = await launchBrowser()
for (const [name, source, size] of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const svg = readFileSync(path.join(folder, source), 'utf8')
  const style = '<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>'
  await page.setContent(style + svg)
  await page.screenshot({ path: path.join(folder, `${name}.png`), omitBackground: true })
  await page.close()
}
await browser.close()
