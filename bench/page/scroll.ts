/** Scrolling through a million lines: frames against a bare xterm.js with the same text, long tasks, and memory. */

import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Page, rendererUse, type Scene } from './scene.ts'

export const scrolledLines = 1_000_000
/** Keeps all of them. */
export const scrollEnv = { AGENTPTY_LOG_BYTES: String(256 * 1_024 * 1_024) }

const program = `for (my $n = 1; $n <= $ARGV[0]; $n++) { printf "\\e[32m2026-11-29 12:00:00\\e[0m worker[%d]: request %d took \\e[1m%d\\e[0m ms for /a/path/of/the/service\\n", $n % 97, $n, $n % 1000 } $| = 1; print "end\\n"; sleep`
const rounds = 3
const secondsEach = 6
const size = { cols: 120, rows: 40 }

interface Scrolled {
  readonly frames: number
  readonly longest: number
}

/** Counts frames. Text, because a compiled function would use helpers that the page lacks. */
const countFrames = `new Promise((resolve) => {
  let frames = 0
  let longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })
  const begun = performance.now()
  requestAnimationFrame(function count() {
    frames += 1
    if (performance.now() - begun < ${secondsEach * 1_000}) requestAnimationFrame(count)
    else resolve({ frames: frames / ${secondsEach}, longest })
  })
})`

/** Turns the wheel upwards, as fast as the browser takes it, while frames are counted. */
async function turnWheel(page: Page): Promise<Scrolled> {
  await page.bringToFront()
  await page.mouse.move(800, 300)
  let isOver = false
  const counted = page.evaluate<Scrolled>(countFrames).finally(() => (isOver = true))
  while (!isOver) await page.mouse.wheel(0, -340)
  return counted
}

async function bareTerminal(scene: Scene): Promise<Page> {
  const page = await scene.context.newPage()
  const folder = fileURLToPath(new URL('../../node_modules/@xterm/xterm/', import.meta.url))
  await page.setContent('<div id="bare"></div>')
  await page.addStyleTag({ path: `${folder}css/xterm.css` })
  await page.addScriptTag({ path: `${folder}lib/xterm.js` })
  await page.evaluate(async ({ cols, rows }) => {
    const { Terminal } = window as unknown as { readonly Terminal: new (options: object) => BareTerminal }
    const terminal = new Terminal({
      cols,
      rows,
      scrollback: 50_000,
      fontSize: 14,
      fontFamily: 'DejaVu Sans Mono, monospace',
    })
    terminal.open(document.querySelector('#bare'))
    let text = ''
    for (let n = 1; n <= 50_000; n++)
      text += `\x1b[32m2026-11-29 12:00:00\x1b[0m worker[${n % 97}]: request ${n} took \x1b[1m${n % 1_000}\x1b[0m ms for /a/path/of/the/service\r\n`
    await new Promise<void>((resolve) => terminal.write(text, resolve))
  }, size)
  return page
}

interface BareTerminal {
  open(element: Element | null): void
  write(text: string, done: () => void): void
}

export async function scroll(scene: Scene): Promise<readonly string[]> {
  const client = await scene.instance.rpc()
  const command = ['perl', '-e', program, String(scrolledLines)]
  const { terminalId } = await client.call('create', { name: 'long', command, ...size, waitFor: 'none' })
  await client.call('wait', { terminalIds: [terminalId], waitFor: { text: 'end' }, since: [0], waitTimeoutMs: 50_000 })
  const page = await scene.context.newPage()
  await page.goto(`${scene.base}/#/terminal/${terminalId}`)
  await page.locator('.xterm-rows').waitFor()
  await setTimeout(2_000)
  // A click in the middle of the scroll bar.
  await page.getByRole('scrollbar').click()
  await page.locator('.covering-screen .xterm-rows').waitFor()
  const bare = await bareTerminal(scene)
  const ours: Scrolled[] = []
  const theirs: Scrolled[] = []
  let memory = 0
  for (let round = 0; round < rounds; round++) {
    theirs.push(await turnWheel(bare))
    const turning = turnWheel(page)
    const [used, scrolled] = await Promise.all([rendererUse(secondsEach - 1), turning])
    memory = Math.max(memory, used.memory)
    ours.push(scrolled)
  }
  const reached = await page.locator('.covering-screen .xterm-rows > div').first().textContent()
  const [, first = ''] = /request (\d+)/.exec(reached ?? '') ?? []
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  const frames = median(ours.map((one) => one.frames))
  const bareFrames = median(theirs.map((one) => one.frames))
  const longest = Math.max(...ours.map((one) => one.longest))
  await page.close()
  await bare.close()
  return [
    `${scrolledLines / 1e6} million lines, from the middle up to line ${first}: ${frames.toFixed(1)} frames a second, bare xterm.js ${bareFrames.toFixed(1)} (goal 0.9 of it: ${(frames / bareFrames).toFixed(2)})`,
    `longest task ${longest.toFixed(0)} ms (goal 50; 0 means below that), memory ${memory.toFixed(0)} MB (goal 150)`,
  ]
}
