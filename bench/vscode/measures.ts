/** Each function measures one thing in the editor and returns it in words, with the goal. */

import { setTimeout } from 'node:timers/promises'
import { type Instance, until } from '../../tests/harness/instance.ts'
import type { McpCaller } from '../../tests/harness/mcp-caller.ts'
import type { Editor } from '../../tests/vscode/editor.ts'
import { keyToGlyph } from '../page/measures.ts'
import { agentLike, quantiles } from '../page/scene.ts'
import { recordTasks } from './task-times.ts'

export interface Window {
  readonly instance: Instance
  readonly editor: Editor
  /** An agent, over MCP. */
  readonly agent: McpCaller
}

/** The editor's own statement. */
export async function activation({ editor }: Window): Promise<string> {
  await editor.agent.command('workbench.action.showRuntimeExtensions')
  const row = editor.page.locator('.extension', { hasText: 'agentpty' }).first()
  await row.locator('.activation-time').waitFor()
  const words = await row.locator('.activation-time').textContent()
  await editor.agent.command('workbench.action.closeAllEditors')
  return `${words} (goal 300 ms)`
}

/** From the call of an agent to its prompt on the screen of the editor. */
export async function creates({ editor, agent }: Window): Promise<string> {
  const taken: number[] = []
  for (let at = 0; at < 10; at++) {
    const name = `create-${at}`
    // Runs at each drawing. No name of this module is used in here.
    await editor.page.evaluate((mark) => {
      new MutationObserver((_, observer) => {
        const active = document.querySelector('.terminal-wrapper.active .xterm-rows')
        if (!active?.textContent?.includes(mark)) return
        observer.disconnect()
        Object.assign(window, { promptAt: Date.now() })
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    }, `${name}>`)
    const began = Date.now()
    await agent.call('create', {
      name,
      command: ['bash', '--norc'],
      cwd: editor.folder,
      env: { PS1: `${name}> ` },
      waitFor: 'none',
    })
    await editor.page.waitForFunction(() => 'promptAt' in window)
    taken.push((await editor.page.evaluate(() => Reflect.get(window, 'promptAt') as number)) - began)
    await editor.page.evaluate(() => Reflect.deleteProperty(window, 'promptAt'))
    await agent.call('close', { terminalId: name })
  }
  return `a terminal of an agent, called to prompt seen: ${quantiles(taken)} ms (goal p50 250)`
}

/** An agent's reading of its command's output, in a terminal that is a tab. */
export async function echoes({ editor, agent }: Window): Promise<string> {
  await agent.call('create', { name: 'echoes', command: ['bash', '--norc'], cwd: editor.folder })
  const taken: number[] = []
  let lost = 0
  for (let at = 0; at < 100; at++) {
    const began = performance.now()
    const { output } = (await agent.call('send', { terminalId: 'echoes', text: `echo "<$((${at}*7))>"` })) as {
      readonly output: string
    }
    taken.push(performance.now() - began)
    if (!output.includes(`<${at * 7}>`)) lost += 1
  }
  await agent.call('close', { terminalId: 'echoes' })
  return `${lost} of 100 outputs lost (goal 0); ${quantiles(taken)} ms`
}

export async function keys({ editor, agent }: Window): Promise<string> {
  await agent.call('create', { name: 'keys', command: ['cat'], cwd: editor.folder })
  await editor.clickInTree('keys')
  const screen = '.terminal-wrapper.active '
  await editor.page.locator(`${screen}.xterm-rows`).waitFor()
  await setTimeout(1_000)
  const taken = await keyToGlyph(editor.page, 200, screen)
  await agent.call('close', { terminalId: 'keys' })
  return `key to glyph: ${taken} (goal p50 30)`
}

const lines = 1_000_000

/** Until the editor shows the last line, with as much scrollback as it may keep. */
export async function flood({ editor, agent }: Window): Promise<string> {
  const command = ['sh', '-c', `read go; seq 1 ${lines}; exec cat`]
  await agent.call('create', { name: 'flood', command, cwd: editor.folder })
  // Smaller than its tab: a larger one would show no scrollback.
  await agent.call('resize', { terminalId: 'flood', cols: 80, rows: 8 })
  await editor.clickInTree('flood')
  await editor.page.locator('.terminal-wrapper.active .xterm-rows').waitFor()
  await setTimeout(1_000)
  const began = performance.now()
  await agent.call('send', { terminalId: 'flood', text: 'go', waitFor: 'none' })
  await until(async () => (await editor.lastLines(3)).includes(String(lines)))
  const seconds = (performance.now() - began) / 1_000
  const shown = (await editor.shown())
    .split('\n')
    .map(Number)
    .filter((one) => one > 0)
  const gaps = shown.filter((one, at) => at > 0 && one !== (shown[at - 1] ?? 0) + 1).length
  await agent.call('close', { terminalId: 'flood' })
  return `seq 1 ${lines} drawn in ${seconds.toFixed(2)} s (goal 3 at the extension host), ${shown.length} lines kept, ${gaps} gaps in them`
}

/** A hundred working terminals, ten of them tabs: the longest blocks of the editor's own thread. */
export async function hundred({ instance, editor, agent }: Window): Promise<string> {
  const client = await instance.rpc()
  const setTo = async (location: string) => {
    editor.set({ 'agentpty.terminals.location': location })
    await setTimeout(2_000)
  }
  await setTo('off')
  const listing = await longTasks(editor)
  for (let at = 0; at < 90; at++)
    await client.call('create', { name: `listed-${at}`, command: [...agentLike], cwd: '/', waitFor: 'none' })
  await setTimeout(5_000)
  const listed = await listing()
  await setTo('panel')
  const opening = await longTasks(editor)
  for (let at = 0; at < 10; at++)
    await agent.call('create', { name: `tab-${at}`, command: [...agentLike], cwd: editor.folder, waitFor: 'none' })
  await editor.page.locator('.terminal-tabs-entry', { hasText: 'tab-9' }).first().waitFor()
  await setTimeout(5_000)
  const opened = await opening()
  const watching = await longTasks(editor)
  await setTimeout(10_000)
  const watched = await watching()
  const { terminals } = await client.call('list', {})
  for (const { terminalId } of terminals) await client.call('close', { terminalId })
  return `100 terminals at work, 10 of them tabs, tasks above 100 ms (goal 0): while 90 come into the list ${listed}, while 10 tabs are opened ${opened}, in 10 s afterwards ${watched}`
}

/** Opens ten tabs of working terminals. The first tab loads the editor's own terminal, so one is open before. */
export async function tabs({ instance, editor, agent }: Window): Promise<string> {
  const open = (name: string) =>
    agent.call('create', { name, command: [...agentLike], cwd: editor.folder, waitFor: 'none' })
  const entry = (name: string) => editor.page.locator('.terminal-tabs-entry', { hasText: name }).first()
  for (const name of ['before-1', 'before-2']) await open(name)
  await entry('before-2').waitFor()
  await setTimeout(5_000)
  const tasksOf = await recordTasks(editor.page)
  for (let at = 0; at < 10; at++) await open(`tab-${at}`)
  await entry('tab-9').waitFor()
  await setTimeout(5_000)
  const { cpu, wall } = await tasksOf()
  const client = await instance.rpc()
  for (const { terminalId } of (await client.call('list', {})).terminals) await client.call('close', { terminalId })
  const long = cpu.filter((ms) => ms > longTaskMs)
  const sum = cpu.reduce((all, ms) => all + ms, 0)
  return `10 tabs opened: ${long.length} tasks above ${longTaskMs} ms of processor time (goal 0), the longest ${cpu.slice(0, 5).join(', ')} ms, ${sum} ms in all; on the clock the longest ${wall.slice(0, 5).join(', ')} ms`
}

const longTaskMs = 300

/** Records from now on until read. */
async function longTasks(editor: Editor): Promise<() => Promise<string>> {
  await editor.page.evaluate(() => {
    const tasks: number[] = []
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ entryTypes: ['longtask'] })
    Object.assign(window, { longTasks: tasks })
  })
  return async () => {
    const tasks = await editor.page.evaluate(() => Reflect.get(window, 'longTasks') as number[])
    return `${tasks.filter((ms) => ms > 100).length} (longest ${Math.max(0, ...tasks).toFixed(0)} ms)`
  }
}
