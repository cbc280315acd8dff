/** Past screens and events of a terminal, played in a real browser from the daemon's data. */

import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { faultsOf, openTerminal, shown, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { violationsIn, withAxe } from './axe.ts'
import { downloadCast } from './download.ts'

const at = eachPage({
  browser: { acceptDownloads: true, viewport: { width: 1_280, height: 800 } },
  context: withAxe,
  signsIn: false,
})
const { instance } = at

/** A shell that reports its commands. */
async function openShell(name: string): Promise<void> {
  const { code, stderr } = await instance.cli('new', '--name', name, '--shell', 'bash')
  assert.equal(code, 0, stderr)
}

const send = (name: string, line: string) => instance.cli('send', name, line)

async function toReplay(name: string): Promise<void> {
  at.page = await signedIn(instance, at.context)
  const row = at.page.locator('.rows li', { hasText: name }).first()
  await row.locator('a').first().focus()
  await at.page.keyboard.press('r')
  await at.page.getByRole('button', { name: 'Play', exact: true }).waitFor()
}

const item = (text: string) => at.page.locator('.item', { hasText: text }).first()

test('commands are in the timeline with exit codes and authors, and each shows its screen', async () => {
  await openShell('build')
  await send('build', 'echo first-$((40+2))')
  await send('build', 'clear; (exit 3)')
  await send('build', 'echo last-$((40+3))')
  await toReplay('build')
  await item('$ echo first').getByText('(exit 0)').waitFor()
  await item('(exit 3)').waitFor()
  const author = item('send: echo last').getByText('agentpty CLI')
  await author.waitFor()
  // A long name ends with an ellipsis, which flexible boxes do not draw.
  const style = await author.evaluate((element) => {
    const { display, textOverflow, overflowX } = getComputedStyle(element)
    return [display, textOverflow, overflowX]
  })
  expect(style).toEqual(['block', 'ellipsis', 'hidden'])
  await at.page.keyboard.press('End')
  await until(async () => (await shown(at.page)).includes('last-43'))
  expect(await shown(at.page)).not.toContain('first-42')
  await item('(exit 3)').click()
  await until(async () => (await shown(at.page)).includes('first-42'))
  expect(await shown(at.page)).not.toContain('last-43')
  expect(await at.page.locator('.item[aria-current]').textContent()).toContain('clear')
})

test('the replay plays to the end automatically, and keys alone control it', async () => {
  await openShell('keys')
  await send('keys', 'echo one-$((1+1)); sleep 1; echo two-$((1+2))')
  await toReplay('keys')
  await at.page.keyboard.press('Home')
  await at.page.keyboard.press('n')
  await until(async () => (await shown(at.page)).includes('$ echo one'))
  expect(await shown(at.page)).not.toContain('two-3')
  for (let presses = 0; presses < 6; presses++) await at.page.keyboard.press('+')
  expect(await at.page.getByLabel('Speed').inputValue()).toBe('16')
  await at.page.keyboard.press(' ')
  await until(async () => (await shown(at.page)).includes('two-3'))
  await at.page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await at.page.keyboard.press('p')
  await until(async () => !(await shown(at.page)).includes('two-3'))
  await at.page.keyboard.press('r')
  await at.page.getByRole('button', { name: 'Replay' }).waitFor()
  await at.page.goBack()
  await at.page.getByRole('button', { name: 'Play', exact: true }).waitFor()
})

test('the download is a recording with the same content', async () => {
  await openShell('saved')
  await send('saved', 'echo saved-$((5*5)); false')
  await toReplay('saved')
  const cast = await downloadCast(at.page)
  expect(cast.events.map(({ data }) => data).join('')).toContain('saved-25')
  expect(cast.markers.map(({ label }) => label)).toEqual(['$ echo saved-$((5*5)); false', 'exit code 1'])
  expect(cast.startedAt).not.toBeNull()
})

test('recorded output has no effect on the page, and no key is typed', async () => {
  const attack = String.raw`\033]0;pwned\007\033]8;;https://evil.example/\007link\033]8;;\007\033[c\033[6n\033]11;?\007\033]52;c;cHduZWQ=\007`
  await openTerminal(instance, 'hostile', 'bash', '-c', `printf '${attack}'; echo after-9; exec cat`)
  await until(async () => (await instance.cli('read', 'hostile')).stdout.includes('after-9'))
  const before = (await instance.cli('read', 'hostile')).stdout
  const requests: string[] = []
  at.context.on('request', (request) => requests.push(request.url()))
  await toReplay('hostile')
  await at.page.keyboard.press('End')
  await until(async () => (await shown(at.page)).includes('after-9'))
  expect(await at.page.title()).toBe('hostile – agentpty')
  expect(await at.page.locator('.xterm a').count()).toBe(0)
  await at.page.locator('.xterm-screen').click()
  await at.page.keyboard.type('xyz')
  expect((await instance.cli('read', 'hostile')).stdout).toBe(before)
  expect(requests.filter((url) => url.includes('evil'))).toEqual([])
  // Clicks the range at the position of its thumb.
  const time = at.page.getByLabel('Time')
  expect(await time.inputValue()).toBe(await time.getAttribute('max'))
})

test('seeking in a long recording starts at the nearest keyframe, even if it was loaded in parts', async () => {
  await openShell('long')
  const lines = `for i in $(seq 1 60000); do echo "line $i ${'x'.repeat(60)}"; done; echo end-$((7*7))`
  await instance.cli('send', 'long', lines, '--timeout', '50000')
  await toReplay('long')
  await at.page.keyboard.press('End')
  await until(async () => (await shown(at.page)).includes('end-49'))
  await at.page.keyboard.press('Home')
  await until(async () => !(await shown(at.page)).includes('line'))
  await at.page.getByLabel('Time').focus()
  await at.page.keyboard.press('End')
  await until(async () => (await shown(at.page)).includes('line 60000'))
})

test('a read-only browser can replay, and so can one after the program’s end', async () => {
  await openShell('ended')
  await send('ended', 'echo over-$((2*4))')
  await instance.cli('send', 'ended', 'exit 4', '--wait', 'none')
  await until(async () => (await instance.cli('ls')).stdout.includes('ended (exit 4)'))
  at.page = await at.context.newPage()
  faultsOf.set(at.page, [])
  const { stdout } = await instance.cli('open', '--print', '--read-only', '--terminal', 'ended')
  await at.page.goto(stdout.trim())
  await at.page.locator('.rows a').first().click()
  await at.page.getByRole('button', { name: 'Replay' }).click()
  await item('ended: exit code 4').waitFor()
  await item('ended: exit code 4').click()
  await until(async () => (await shown(at.page)).includes('over-8'))
})

test('axe finds no fault in the replay, in light, in dark, and on a phone, and kinds can be hidden', async () => {
  await openShell('seen')
  await send('seen', 'echo some-thing')
  await send('seen', 'false')
  await toReplay('seen')
  await at.page.keyboard.press('End')
  await item('$ false').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await at.page.emulateMedia({ colorScheme })
    for (const width of [1_360, 390]) {
      await at.page.setViewportSize({ width, height: 800 })
      expect(await violationsIn(at.page), `${colorScheme}, ${width} px`).toEqual([])
      const shots = process.env['AGENTPTY_SHOTS']
      if (shots !== undefined) await at.page.screenshot({ path: `${shots}/replay-${colorScheme}-${width}.png` })
    }
  }
  await at.page.getByRole('button', { name: 'Typed' }).click()
  expect(await at.page.locator('.item', { hasText: 'send:' }).count()).toBe(0)
  expect(await at.page.locator('.item', { hasText: '$ false' }).count()).toBe(1)
})
