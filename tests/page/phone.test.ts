/** The page on a phone: touch, a narrow screen and an on-screen keyboard. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openTerminal } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'

const at = eachPage({
  browser: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 3,
    isMobile: true,
    hasTouch: true,
    userAgent: 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/147.0.0.0 Mobile Safari/537.36',
  },
  room: 'Needs you',
  context: withAxe,
})
const { instance } = at

async function lookAt(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Agents' }).tap()
  await page.locator('.rows .name').getByText(name, { exact: true }).tap()
  await page.getByRole('heading', { name }).waitFor()
}

const lines = () => at.page.locator('.lines')
const line = () => at.page.getByLabel('Line to type')
const key = (name: string) => at.page.getByRole('toolbar', { name: 'Keys' }).getByRole('button', { name, exact: true })
const send = () => at.page.getByRole('button', { name: 'Send', exact: true })
const shows = (text: string) => lines().getByText(text, { exact: true }).first().waitFor()

/** The input that a program has received, byte by byte. */
async function openRecorder(name: string): Promise<() => string> {
  const file = join(instance.user, `${name}.bytes`)
  await openTerminal(
    instance,
    name,
    'bash',
    '-c',
    `stty raw -echo; printf '\\e[?1h'; echo recording; exec cat > ${file}`,
  )
  return () => (existsSync(file) ? readFileSync(file, 'latin1') : '')
}

test('axe finds no fault in a terminal on a phone, in light and in dark', async () => {
  await openTerminal(instance, 'plain', 'cat')
  for (const colorScheme of ['light', 'dark'] as const) {
    await at.page.emulateMedia({ colorScheme })
    await lookAt(at.page, 'plain')
    await line().waitFor()
    expect(await violationsIn(at.page), colorScheme).toEqual([])
  }
})

test('the page starts with open requests, and a terminal is text without an emulator', async () => {
  await openTerminal(instance, 'plain', 'cat')
  await lookAt(at.page, 'plain')
  await line().fill('hello there')
  await line().press('Enter')
  await shows('hello there')
  expect(await at.page.locator('.xterm').count()).toBe(0)
  await at.page.getByRole('button', { name: 'Full terminal' }).tap()
  await at.page.locator('.xterm-rows').getByText('hello there').first().waitFor()
})

test('watching does not change the size, and wide lines are wrapped', async () => {
  await openTerminal(instance, 'wide', 'bash', '--norc')
  await instance.cli('send', 'wide', 'printf "%0110d end\\n" 7; tput cols')
  await lookAt(at.page, 'wide')
  await shows('120')
  const fits = () => lines().evaluate((element) => element.scrollWidth <= element.clientWidth)
  expect(await fits()).toBe(true)
  await at.page.getByRole('button', { name: 'Wrap' }).tap()
  await until(async () => !(await fits()))
})

test('a program on the alternate screen is not wrapped, and has its own Wrap setting', async () => {
  await openTerminal(
    instance,
    'drawn',
    'bash',
    '-c',
    'printf "\\e[?1049h%0110d end" 7; read -rsn1; printf "\\e[?1049l"; cat',
  )
  await lookAt(at.page, 'drawn')
  await shows(`${'7'.padStart(110, '0')} end`)
  const fits = () => lines().evaluate((element) => element.scrollWidth <= element.clientWidth)
  const wrap = at.page.getByRole('button', { name: 'Wrap' })
  expect([await fits(), await wrap.getAttribute('aria-pressed')]).toEqual([false, 'false'])
  await wrap.tap()
  await until(fits)
  await wrap.tap()
  await until(async () => !(await fits()))
  await instance.cli('keys', 'drawn', 'x')
  await until(async () => (await wrap.getAttribute('aria-pressed')) === 'true')
})

test('the picture of a program keeps its columns: smaller letters on a phone on its side, scrolled when it is upright', async () => {
  await openTerminal(instance, 'drawn', 'bash', '-c', 'printf "\\e[?1049h\\e[44m%120s" end; read -rsn1')
  await lookAt(at.page, 'drawn')
  await lines().getByText('end').waitFor()
  const measure = () =>
    lines().evaluate((element) => ({
      fits: element.scrollWidth <= element.clientWidth,
      letters: Number.parseFloat(getComputedStyle(element).fontSize),
    }))
  expect(await measure()).toEqual({ fits: false, letters: 13 })
  await at.page.setViewportSize({ width: 844, height: 390 })
  await until(async () => (await measure()).fits)
  expect((await measure()).letters).toBeGreaterThanOrEqual(9)
  await at.page.setViewportSize({ width: 390, height: 844 })
  await until(async () => (await measure()).letters === 13)
})

test('among the needs a link leads to the notifications of this phone', async () => {
  await at.page.getByRole('link', { name: 'Notify this phone' }).tap()
  await at.page.getByRole('heading', { name: 'Notifications on this device' }).waitFor()
  expect(await violationsIn(at.page)).toEqual([])
})

test('the buttons of a terminal do not touch each other, upright and on its side', async () => {
  await openTerminal(instance, 'large', 'cat')
  await lookAt(at.page, 'large')
  await line().waitFor()
  for (const size of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ]) {
    await at.page.setViewportSize(size)
    const boxes = await at.page.locator('.terminal-room .bar button, .terminal-room .bar a').evaluateAll((all) =>
      all.map((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect()
        // The actions scroll sideways: what is beyond their edges is not visible.
        const visible = one.closest('.actions')?.getBoundingClientRect() ?? { left, right }
        const words = one.scrollWidth - one.clientWidth
        return { left: Math.max(left, visible.left), right: Math.min(right, visible.right) + words, top, bottom }
      }),
    )
    expect(boxes.length).toBeGreaterThan(4)
    for (const [at, one] of boxes.entries())
      for (const other of boxes.slice(at + 1)) {
        const across = Math.max(one.left, other.left) - Math.min(one.right, other.right)
        const down = Math.max(one.top, other.top) - Math.min(one.bottom, other.bottom)
        expect(Math.max(across, down)).toBeGreaterThanOrEqual(6)
      }
  }
})

test('keys of the bar reach the program, and Ctrl and Alt apply to one key', async () => {
  const taken = await openRecorder('keys')
  await lookAt(at.page, 'keys')
  await shows('recording')
  for (const name of ['Esc', 'Tab', 'Arrow up', 'Enter', '|']) await key(name).tap()
  await key('Ctrl').tap()
  await line().pressSequentially('ab')
  await key('Alt').tap()
  await key('Arrow left').tap()
  await at.page.getByRole('button', { name: 'Send without Enter' }).tap()
  // The letter after Ctrl+A had no modifier: it stayed in the line.
  const want = '\x1b\t\x1bOA\r|\x01\x1b[1;3Db'
  await until(() => taken().length >= want.length)
  await key('Ctrl C, interrupt').tap()
  await until(() => taken().length > want.length)
  expect(taken()).toBe(`${want}\x03`)
})

test('every key and button for typing is large enough for a finger', async () => {
  await openTerminal(instance, 'large', 'cat')
  await lookAt(at.page, 'large')
  await line().waitFor()
  const boxes = await at.page.locator('.key-bar button, .line-editor button, .line-editor input').all()
  for (const one of boxes) {
    const box = await one.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
  expect(await line().getAttribute('autocapitalize')).toBe('off')
  expect(await line().getAttribute('autocorrect')).toBe('off')
  expect(await line().getAttribute('spellcheck')).toBe('false')
})

test('a line can be sent without Enter, and sent lines can be reused', async () => {
  await openTerminal(instance, 'again', 'bash', '--norc')
  await lookAt(at.page, 'again')
  await line().fill('echo one; ')
  await at.page.getByRole('button', { name: 'Send without Enter' }).tap()
  await line().fill('echo $((1+1))-two')
  await send().tap()
  await shows('2-two')
  await at.page.getByRole('button', { name: 'Lines that you have sent' }).tap()
  await at.page.getByRole('button', { name: 'echo $((1+1))-two' }).tap()
  expect(await line().inputValue()).toBe('echo $((1+1))-two')
  await at.page.reload()
  await at.page.getByRole('button', { name: 'Lines that you have sent' }).tap()
  await at.page.getByText('Nothing yet.').waitFor()
})

test('the scrollback is above the screen, stays in place while read, and a button leads to the newest line', async () => {
  await openTerminal(instance, 'long', 'bash', '--norc')
  await instance.cli('send', 'long', 'seq -f "row %g." 400')
  await lookAt(at.page, 'long')
  await shows('row 400.')
  const top = () => lines().evaluate((element) => element.scrollTop)
  await until(async () => (await lines().getByText('row 100.', { exact: true }).count()) > 0)
  await lines()
    .getByText('row 100.', { exact: true })
    .evaluate((element) => element.scrollIntoView())
  await at.page.getByRole('button', { name: '↓ Newest' }).waitFor()
  const read = () =>
    lines()
      .getByText('row 101.', { exact: true })
      .evaluate((one) => one.getBoundingClientRect().top)
  const before = await read()
  await instance.cli('send', 'long', 'seq -f "more %g." 60')
  await until(async () => (await lines().getByText('more 20.', { exact: true }).count()) > 0)
  expect(Math.abs((await read()) - before)).toBeLessThan(2)
  const scrolled = await top()
  await at.page.getByRole('button', { name: '↓ Newest' }).tap()
  await until(async () => (await top()) > scrolled)
  await shows('more 60.')
})

test('Find opens the full terminal at a line that the text does not have', async () => {
  await openTerminal(instance, 'long', 'sh', '-c', 'seq 1 100; echo needle; seq 1 20000; exec cat')
  await lookAt(at.page, 'long')
  await shows('20000')
  await at.page.getByRole('toolbar', { name: 'Terminal' }).getByRole('button', { name: 'Find' }).tap()
  const bar = at.page.getByRole('search', { name: 'Find in the output of this terminal' })
  await bar.getByRole('textbox', { name: 'Find' }).fill('needle')
  await until(async () => (await bar.getByRole('status').textContent()) === '1 of 1')
  const found = at.page.locator('.covering-screen .xterm-rows').getByText('needle')
  await found.waitFor()
  const [line, above] = [await found.boundingBox(), await bar.boundingBox()]
  expect(line?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0))
  const folder = process.env['AGENTPTY_SHOTS']
  if (folder !== undefined) await at.page.screenshot({ path: `${folder}/find-phone.png` })
  expect(await violationsIn(at.page)).toEqual([])
  await bar.getByRole('button', { name: 'Close the find bar' }).tap()
  await bar.waitFor({ state: 'detached' })
})

test('a password is typed in a hidden field and stored nowhere', async () => {
  await openTerminal(instance, 'secret', 'bash', '-c', "read -rsp 'PIN: ' x; echo; echo length ${#x}; exec cat")
  await lookAt(at.page, 'secret')
  const secret = at.page.getByLabel('Secret answer')
  await secret.waitFor()
  expect(await secret.getAttribute('type')).toBe('password')
  await secret.fill('correct horse')
  await secret.press('Enter')
  await shows('length 13')
  await line().waitFor()
  expect(await line().inputValue()).toBe('')
  expect(await at.page.content()).not.toContain('correct horse')
  await at.page.getByRole('button', { name: 'Lines that you have sent' }).tap()
  await at.page.getByText('Nothing yet.').waitFor()
  const { stdout } = await instance.cli('audit', '--json')
  expect(stdout).not.toContain('correct horse')
})

test('an approval is answered by touch, among the open requests and in the list', async () => {
  const agent = await instance.mcp()
  for (const room of ['needs', 'list'] as const) {
    const cwd = join(instance.user, `touched-${room}`)
    mkdirSync(join(cwd, '.git'), { recursive: true })
    writeFileSync(join(cwd, 'precious'), 'data\n')
    const { terminalId } = await agent.call('create', { cwd, name: room })
    const sent = agent.call('send', { terminalId, text: 'rm precious' })
    await at.page.getByRole('link', { name: room === 'list' ? 'Agents' : 'Needs you' }).tap()
    const allow = at.page.getByRole('button', { name: room === 'list' ? /^Allow/ : 'Allow once' })
    await allow.waitFor()
    await until(async () => {
      if ((await allow.count()) > 0) await allow.tap({ timeout: 1_000 }).catch(() => {})
      return !existsSync(join(cwd, 'precious'))
    })
    await sent
    await agent.call('close', { terminalId })
  }
})

test('the terminal is taken over and given back by touch, and input without a daemon arrives later', async () => {
  await openTerminal(instance, 'mine', 'cat')
  await lookAt(at.page, 'mine')
  await at.page.getByRole('button', { name: 'Take over' }).tap()
  await at.page.getByText('You have taken over. Agents cannot type.').waitFor()
  await at.page.getByRole('button', { name: 'Give back' }).tap()
  await at.page.getByText('You have taken over. Agents cannot type.').waitFor({ state: 'detached' })
  await instance.killDaemon()
  await at.page.getByText('Reconnecting.').waitFor()
  await line().fill('saved until then')
  await send().tap()
  await instance.status()
  await shows('saved until then')
})
