/** Input in the page, and its drawing, while daemons are replaced and terminals change. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultsOf, lookAt, openTerminal, screenOf, shown, signedIn } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'

const at = eachPage({ signsIn: false })
const { instance } = at

const linesMax = 1_000
const killsMin = 4

test('a thousand lines typed while daemons are killed arrive once each, in order', async () => {
  const file = join(instance.user, 'typed')
  await openTerminal(instance, 'typed', 'bash', '-c', `cat > ${file}`)
  const page = await signedIn(instance, at.context)
  await lookAt(page, 'typed')
  const lines = Array.from({ length: linesMax }, (_, number) => String(number + 1).padStart(4, '0'))
  let kills = 0
  let isTyped = false
  const killing = (async () => {
    while (!isTyped) {
      await instance.killDaemon()
      kills++
      const { size } = statSync(file)
      await instance.status()
      // The next daemon is killed once some input has arrived through this one.
      await until(() => isTyped || statSync(file).size > size)
    }
  })()
  const linesPerKill = linesMax / killsMin
  for (const [number, line] of lines.entries()) {
    // The number of killed daemons does not depend on the typing speed.
    if (number % linesPerKill === 0) await until(() => kills > number / linesPerKill)
    await page.keyboard.type(`${line}\n`)
  }
  isTyped = true
  await killing
  await instance.status()
  await until(() => readFileSync(file, 'utf8').split('\n').length > linesMax)
  expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`)
  expect(faultsOf.get(page)).toEqual([])
  await instance.cli('close', 'typed')
}, 180_000)

test('input without a daemon waits, and more than the limit is refused as a whole', async () => {
  await openTerminal(instance, 'waits', 'cat')
  const page = await signedIn(instance, at.context)
  await lookAt(page, 'waits')
  await instance.killDaemon()
  await page.getByText('Reconnecting.').waitFor()
  await page.keyboard.type('saved')
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'x'.repeat(64 * 1_024 + 1))
    const target = document.querySelector('.xterm-helper-textarea')
    target?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await page.getByText('more than can wait to be typed').waitFor()
  await page.keyboard.type(' until then\n')
  await instance.status()
  await screenOf(page).getByText('saved until then').first().waitFor()
  await instance.cli('close', 'waits')
})

test('the drawing equals the terminal’s screen, even after resizes, killed daemons and floods', async () => {
  await openTerminal(instance, 'drawn', 'bash', '--norc')
  const page = await signedIn(instance, at.context)
  await lookAt(page, 'drawn')
  const isSame = async () => {
    const { stdout } = await instance.cli('screen', 'drawn', '--json')
    return (await shown(page)) === JSON.parse(stdout).screen.trimEnd()
  }
  await instance.cli('send', 'drawn', "PS1='$ '; clear; printf '\\e[31mred\\e[m wide 漢字 \\e[8;3Hthere\\n'")
  await until(isSame)
  await instance.cli('resize', 'drawn', '61x17')
  await page.getByText('61×17').waitFor()
  await instance.cli('send', 'drawn', 'seq 50; printf "%0200d\\n" 7')
  await until(isSame)
  await instance.killDaemon()
  await page.getByText('Reconnecting.').waitFor()
  await instance.cli('send', 'drawn', 'echo after the kill')
  await screenOf(page).getByText('after the kill', { exact: true }).waitFor()
  await until(isSame)
  await instance.cli('send', 'drawn', 'seq 2000000 | tail -c 12000000; echo flood-is-$((1+1))')
  await screenOf(page).getByText('flood-is-2', { exact: true }).waitFor()
  await until(isSame)
  expect(faultsOf.get(page)).toEqual([])
  await instance.cli('close', 'drawn')
})

test('output that would crash or stall an emulator is drawn, and the page continues', async () => {
  await openTerminal(instance, 'hostile', 'bash', '--norc')
  const page = await signedIn(instance, at.context)
  await lookAt(page, 'hostile')
  const erase = `printf 'x\\e[2147483647b\\e[2147483647S\\e[999;999Hy\\e[1J\\e[H'; echo on-$((5+5))`
  await instance.cli('send', 'hostile', erase)
  await screenOf(page).getByText('on-10', { exact: true }).waitFor()
  expect(faultsOf.get(page)).toEqual([])
  await instance.cli('close', 'hostile')
})

test('a question mark lists the keys of the page, and is typed in a terminal', async () => {
  await openTerminal(instance, 'asked', 'cat')
  const page = await signedIn(instance, at.context)
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keys' })
  await list.getByText('the wall').waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  await lookAt(page, 'asked')
  await page.keyboard.type('what?')
  await until(async () => (await shown(page)).includes('what?'))
  expect(await list.count()).toBe(0)
  await instance.cli('close', 'asked')
})

test('the list next to a terminal shows the open one, even if the list is long', async () => {
  for (let index = 0; index < 30; index++) await openTerminal(instance, `beside-${index}`, 'cat')
  const page = await signedIn(instance, at.context)
  await page.setViewportSize({ width: 1400, height: 500 })
  await lookAt(page, 'beside-29')
  const row = page.locator('.beside a[aria-current]')
  await row.filter({ hasText: 'beside-29' }).waitFor()
  await until(() =>
    row.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      // Rows may end between two pixels.
      return top >= 0 && bottom < innerHeight + 1
    }),
  )
})
