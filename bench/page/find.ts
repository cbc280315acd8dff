/** Find in 100 MB of kept output: from the typed word to the match on the screen, and the daemon's own part of it. */

import { setTimeout } from 'node:timers/promises'
import { type Page, quantiles, type Scene } from './scene.ts'

const lines = 1_000_000
/** Keeps all of them. */
export const findEnv = { AGENTPTY_LOG_BYTES: String(256 * 1_024 * 1_024) }

/** Words of letters that the other lines have, so that no piece of the output can be passed over by its letters. */
const words = { 'near the beginning': 'threshold', 'in the middle': 'homework', 'near the end': 'password' } as const
const places = { threshold: lines / 100, homework: lines / 2, password: lines - lines / 100 } as const

const program = `my %word = (${Object.entries(places).map(([word, at]) => `${at}, "${word}"`)});
for (my $n = 1; $n <= $ARGV[0]; $n++) { printf "\\e[32m2026-11-29 12:00:00\\e[0m worker[%d]: request %d took \\e[1m%d\\e[0m ms for /a/path/of/the/old/home %s\\n", $n % 97, $n, $n % 1000, $word{$n} // "" } $| = 1; print "end\\n"; sleep`
const rounds = 10

/** From the input event to the frame after the marked word is in the document. Text, because a compiled function would use helpers that the page lacks. */
const timeFrom = (word: string) => `new Promise((resolve) => {
  let begun = 0
  document.addEventListener('input', () => (begun = performance.now()), { capture: true, once: true })
  requestAnimationFrame(function poll() {
    const rows = document.querySelector('.covering-screen .xterm-rows')
    const isShown = begun > 0 && (rows?.textContent ?? '').includes('${word}')
    if (isShown) resolve(performance.now() - begun)
    else requestAnimationFrame(poll)
  })
})`

async function typed(page: Page, word: string): Promise<number> {
  await page.locator('.xterm-helper-textarea').first().focus()
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Control+f')
  const field = page.locator('.find-bar input')
  await field.fill('')
  const shown = page.evaluate<number>(timeFrom(word))
  await field.fill(word)
  const ms = await shown
  await page.keyboard.press('Escape')
  await page.locator('.find-bar').waitFor({ state: 'detached' })
  return ms
}

export async function find(scene: Scene): Promise<readonly string[]> {
  const client = await scene.instance.rpc({}, { isPerson: true })
  const command = ['perl', '-e', program, String(lines)]
  const size = { cols: 120, rows: 40 }
  const { terminalId } = await client.call('create', { name: 'long', command, ...size, waitFor: 'none' })
  await client.call('wait', { terminalIds: [terminalId], waitFor: { text: 'end' }, since: [0], waitTimeoutMs: 50_000 })
  const { cursor } = await client.call('read', { terminalId, find: 'end', limit: 1, backward: true })
  const page = await scene.context.newPage()
  await page.goto(`${scene.base}/#/terminal/${terminalId}`)
  await page.locator('.xterm-rows').waitFor()
  await setTimeout(2_000)
  const rows: string[] = [`${(cursor / 1e6).toFixed(0)} MB of kept output`]
  for (const [place, word] of Object.entries(words)) {
    const verb: number[] = []
    const shown: number[] = []
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now()
      const { hits = [] } = await client.call('read', { terminalId, find: word, limit: 1, backward: true })
      verb.push(performance.now() - begun)
      if (hits.length !== 1) throw new Error(`"${word}" was not found.`)
      shown.push(await typed(page, word))
    }
    rows.push(
      `a word ${place}: shown after ${quantiles(shown)} ms (goal p50 300), the verb alone ${quantiles(verb)} ms`,
    )
  }
  await page.close()
  return rows
}
