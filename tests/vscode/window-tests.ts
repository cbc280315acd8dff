/** Two windows with one daemon, in an editor that another file has opened. */

import { expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import type { OpenedEditor } from './editor.ts'

const testTimeoutMs = 120_000

export function windowTests({ instance, editor, agent }: OpenedEditor): void {
  test(
    'two windows share one daemon: a terminal is a tab of the window with its folder, and both list it',
    async () => {
      const first = editor()
      const { pid } = (await instance.status()).daemon
      const second = await first.openWindow('other')
      expect((await instance.status()).daemon.pid).toBe(pid)
      await second.showView()
      await agent().call('create', { name: 'near', command: ['bash', '--norc'], cwd: second.folder })
      await second.untilShown('bash-5')
      await first.inTree('near').waitFor()
      expect(await first.page.locator('.terminal-tabs-entry', { hasText: 'near' }).count()).toBe(0)
      await first.clickInTree('near')
      await first.untilShown('bash-5')
      await first.page.locator('.terminal-wrapper.active .xterm.focus').waitFor()
      await first.page.keyboard.type('echo from the first: $((6*7))\n')
      await second.untilShown('from the first: 42')
      await second.page.locator('.terminal-wrapper.active').click()
      await second.page.keyboard.type('echo from the second: $((6*8))\n')
      await first.untilShown('from the second: 48')
      await second.page.reload()
      await second.untilConnected()
      await second.inTree('near').waitFor()
      await second.clickInTree('near')
      await second.untilShown('from the second: 48')
      expect((await first.shown()).match(/^from the second: 48$/gm)).toHaveLength(1)
      await second.page.close()
      await first.page.bringToFront()
      await first.page.locator('.terminal-wrapper.active').click()
      await first.page.keyboard.type('echo still here: $((6*9))\n')
      await first.untilShown('still here: 54')
      await agent().call('close', { terminalId: 'near' })
      await first.inTree('near').waitFor({ state: 'detached' })
      await until(async () => (await first.page.locator('.terminal-tabs-entry', { hasText: 'near' }).count()) === 0)
    },
    testTimeoutMs,
  )
}
