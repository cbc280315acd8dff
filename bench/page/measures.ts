/** Each function measures one thing and returns it in words, with the goal. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { agentLike, openTerminals, type Page, quantiles, rendererUse, type Scene } from './scene.ts'

/** The files that the document names: its script, the imports of that, and its style. */
export function firstLoad(): string {
  const folder = new URL('../../packages/agentpty/dist/page/', import.meta.url)
  const document = readFileSync(new URL('index.html', folder), 'utf8')
  const names = [...document.matchAll(/assets\/[\w-]+\.(?:js|css)/g)].map(([name]) => name)
  const sizes = [...new Set(names)].map((name) => statSync(new URL(`${name}.gz`, folder)).size)
  return `${(sizes.reduce((sum, size) => sum + size, 0) / 1_024).toFixed(1)} KB gzip of ${sizes.length} scripts and styles (goal 50)`
}

/** From the start of a load to the first rows of the terminal, in a browser that is signed in. */
export async function firstPaint(scene: Scene, terminalId: string, times: number): Promise<string> {
  const taken: number[] = []
  for (let time = 0; time < times; time++) {
    const page = await scene.context.newPage()
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if ((document.querySelector('.xterm-rows')?.textContent ?? '').trim() === '') return
        observer.disconnect()
        const channel = new MessageChannel()
        channel.port1.onmessage = () => Object.assign(window, { paintedAt: performance.now() })
        channel.port2.postMessage(0)
      })
      observer.observe(document, { childList: true, subtree: true, characterData: true })
    })
    await page.goto(`${scene.base}/#/terminal/${terminalId}`)
    await page.waitForFunction(() => 'paintedAt' in window)
    taken.push(await page.evaluate(() => (window as unknown as { readonly paintedAt: number }).paintedAt))
    await page.close()
  }
  return `${quantiles(taken)} ms (goal p50 500)`
}

/** From a key to its glyph on the screen: the DOM has it, and the frame is done. */
/** `within`: a selector of the terminal's container, followed by a blank. */
export async function keyToGlyph(page: Page, keys: number, within = ''): Promise<string> {
  await page.locator(`${within}.xterm-helper-textarea`).focus()
  await page.evaluate((inside) => {
    const taken: number[] = []
    let pressedAt = 0
    document.addEventListener('keydown', ({ timeStamp }) => (pressedAt = timeStamp), true)
    const rows = document.querySelector(`${inside}.xterm-rows`)
    const channel = new MessageChannel()
    channel.port1.onmessage = ({ data }: MessageEvent<number>) => taken.push(performance.now() - data)
    // No name of this module is used in here: the function runs in the page as text.
    const observer = new MutationObserver(() => {
      if (pressedAt !== 0) channel.port2.postMessage(pressedAt)
      pressedAt = 0
    })
    if (rows !== null) observer.observe(rows, { childList: true, subtree: true, characterData: true })
    Object.assign(window, { taken })
  }, within)
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('abcdefghij'[key % 10] ?? 'a')
    // A person does not type in step with the frames.
    await setTimeout(20 + (key % 17))
  }
  const taken = await page.evaluate(() => (window as unknown as { readonly taken: number[] }).taken)
  return `${quantiles(taken)} ms`
}

export async function alone(scene: Scene): Promise<string> {
  const [terminalId = ''] = await openTerminals(scene, 1, ['cat'], 'alone')
  const page = await scene.context.newPage()
  await page.goto(`${scene.base}/#/terminal/${terminalId}`)
  await page.locator('.xterm-rows').waitFor()
  await setTimeout(1_000)
  const result = await keyToGlyph(page, 200)
  await page.close()
  return `${result} (goal p50 10, p99 30)`
}

/** A hundred working terminals on the wall, and the requested number of others in the list. */
export async function wall(scene: Scene, listed: number): Promise<readonly string[]> {
  // The wall has the oldest first, so the visible ones are the working ones.
  await openTerminals(scene, 100, agentLike, 'agent')
  const [echo = ''] = await openTerminals(scene, 1, ['cat'], 'typed')
  await openTerminals(scene, listed, ['cat'], 'listed')
  const page = await scene.context.newPage()
  await page.goto(`${scene.base}/#/wall`)
  await page.locator('.tile').first().waitFor()
  await setTimeout(5_000)
  const tiles = await page.locator('.tile').count()
  const { cpu, memory } = await rendererUse(10)
  await page.goto(`${scene.base}/#/wall/${echo}`)
  await page.locator('.xterm-rows').waitFor()
  await setTimeout(2_000)
  const keys = await keyToGlyph(page, 200)
  await page.close()
  return [
    `${tiles} tiles, 100 of them at work: ${cpu.toFixed(0)} % of a core (goal 25), ${memory.toFixed(0)} MB (goal 180)`,
    `keys beside them: ${keys} (goal p50 30, p99 60)`,
  ]
}

/** The traffic of an untouched page of an idle terminal over its socket. */
export async function idle(scene: Scene, terminalId: string): Promise<string> {
  const page = await scene.context.newPage()
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  let bytes = 0
  network.on('Network.webSocketFrameReceived', ({ response }) => (bytes += response.payloadData.length))
  await page.goto(`${scene.base}/#/terminal/${terminalId}`)
  await page.locator('.xterm-rows').waitFor()
  await setTimeout(10_000)
  bytes = 0
  await setTimeout(20_000)
  await page.close()
  return `${(bytes / 20).toFixed(1)} bytes a second (goal 5)`
}

const viewers = 50
const floodLines = 12_000_000

/** A flood without and with viewers, alternating, and the echo of another terminal meanwhile. */
export async function flood(scene: Scene, rounds: number): Promise<readonly string[]> {
  const client = await scene.instance.rpc({}, { isPerson: true })
  const [echo = ''] = await openTerminals(scene, 1, ['cat'], 'other')
  const seconds: { readonly none: number[]; readonly many: number[] } = { none: [], many: [] }
  const echoes: { readonly none: number[]; readonly many: number[] } = { none: [], many: [] }
  for (let round = 0; round < rounds * 2; round++) {
    const isWatched = round % 2 === 1
    const { terminalId } = await client.call('create', {
      command: ['sh', '-c', 'read go; seq 1 $0', String(floodLines)],
    })
    const watching = isWatched ? await openViewers(scene, terminalId) : null
    await setTimeout(1_000)
    const startedAt = performance.now()
    await client.call('send', { terminalId, text: 'go', waitFor: 'none' })
    let isOver = false
    const ended = client
      .call('wait', { terminalIds: [terminalId], waitFor: 'exit', waitTimeoutMs: 50_000 })
      .then(() => (isOver = true))
    while (!isOver) {
      const at = performance.now()
      await client.call('send', { terminalId: echo, text: 'x', waitFor: 'output' })
      echoes[isWatched ? 'many' : 'none'].push(performance.now() - at)
      await setTimeout(20)
    }
    await ended
    seconds[isWatched ? 'many' : 'none'].push((performance.now() - startedAt) / 1_000)
    if (watching !== null) {
      watching.stdin.end()
      await once(watching, 'exit')
    }
    await client.call('close', { terminalIds: [terminalId] })
  }
  const best = (values: readonly number[]) => Math.min(...values)
  const slower = (best(seconds.many) / best(seconds.none) - 1) * 100
  return [
    `${floodLines / 1e6} million lines: ${best(seconds.none).toFixed(2)} s alone, ${best(seconds.many).toFixed(2)} s with ${viewers} viewers that read all of it on this machine: ${slower.toFixed(0)} % slower (goal 2)`,
    `echo in another terminal meanwhile: ${quantiles(echoes.many)} ms (goal p99 20); without viewers ${quantiles(echoes.none)} ms`,
  ]
}

/** Each has its first screen. */
async function openViewers({ instance }: Scene, terminalId: string) {
  const script = fileURLToPath(new URL('viewers.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, terminalId, String(viewers)], {
    env: instance.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  if (String(said).trim() !== 'ready') throw new Error(`the viewers say: ${said}`)
  return child
}

/** A terminal that has printed this many bytes. */
export async function withHistory(scene: Scene, bytes: number): Promise<string> {
  const client = await scene.instance.rpc()
  const command = [
    'sh',
    '-c',
    'yes "a line of a long history, which is never read" | head -c $0; echo; echo end; exec cat',
    String(bytes),
  ]
  const { terminalId } = await client.call('create', { name: 'history', command, waitFor: 'none' })
  while (!(await client.call('screenshot', { terminalId, format: 'plain' })).screen.includes('end'))
    await setTimeout(500)
  return terminalId
}
