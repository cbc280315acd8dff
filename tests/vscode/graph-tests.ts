/** Groups and the detail view, in an editor that another file has opened. */

import type { Client } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import type { Editor, OpenedEditor } from './editor.ts'

const testTimeoutMs = 120_000

export function graphTests({ instance, editor, agent }: OpenedEditor): void {
  test(
    'groups are created, filled, folded and stopped, and every client sees them immediately',
    async () => {
      const { page, folder } = editor()
      const client = await instance.rpc()
      for (const name of ['parser', 'lexer']) await agent().call('create', { name, shell: '/bin/bash', cwd: folder })
      await editor().command('agentpty: New Group…')
      await page.locator('.quick-input-widget input').fill('Compiler')
      await page.keyboard.press('Enter')
      await editor().inTree('Compiler').waitFor()
      const group = (await client.call('lineage', {})).nodes.find(({ label }) => label === 'Compiler')
      const isInGroup = async () => (await parentOf(client, 'parser')) === group?.nodeId
      // On a busy machine the editor may miss a drag: a person would drag again.
      await until(async () => {
        if (await isInGroup()) return true
        await editor().inTree('parser').dragTo(editor().inTree('Compiler'))
        return isInGroup()
      })
      await menuOf(editor(), 'lexer', 'Move to Group…')
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Compiler' }).first().click()
      await until(async () => (await parentOf(client, 'lexer')) === group?.nodeId)
      await page.locator('.monaco-list-row', { hasText: 'Compiler' }).filter({ hasText: '2 below' }).first().waitFor()
      await menuOf(editor(), 'Compiler', 'Stop with All Below…')
      const dialog = page.locator('.monaco-dialog-box')
      await dialog.filter({ hasText: '2 terminals and agents end' }).waitFor()
      await dialog.getByRole('button', { name: 'Stop' }).click()
      await page.locator('.monaco-list-row', { hasText: 'lexer' }).filter({ hasText: 'stopped' }).first().waitFor()
      expect((await client.call('list', {})).terminals.map(({ name }) => name)).not.toContain('lexer')
      await editor().inTree('lexer').hover()
      await editor().inTree('lexer').locator('[aria-label^="Retry"]').click()
      await until(async () => (await client.call('list', {})).terminals.some(({ name }) => name === 'lexer'))
      expect(await parentOf(client, 'lexer')).toBe(group?.nodeId)
      // It is shown and focused.
      await page.locator('.terminal-wrapper.active .xterm.focus').waitFor()
    },
    testTimeoutMs,
  )

  test(
    'the details of a terminal follow its events, and a click copies its output',
    async () => {
      const { page } = editor()
      // The editor loses the row of an open menu when the tree is rebuilt, as after the start of a terminal.
      await page
        .locator('.monaco-list-row', { hasText: 'lexer' })
        .filter({ hasText: 'at its prompt' })
        .first()
        .waitFor()
      await menuOf(editor(), 'lexer', 'Show Details')
      const details = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame')
      await details.getByRole('heading', { name: 'lexer' }).waitFor()
      await details.getByRole('navigation', { name: 'Started by' }).getByText('Compiler').waitFor()
      await agent().call('send', { terminalId: 'lexer', text: 'ls /does-not-exist' })
      await details
        .locator('.command.failed', { hasText: 'ls /does-not-exist' })
        .filter({ hasText: 'exit 2' })
        .waitFor()
      await details.getByRole('button', { name: 'Copy the output of ls /does-not-exist' }).click()
      await details.getByRole('status').filter({ hasText: 'Copied its output.' }).waitFor()
      await details.getByRole('button', { name: 'Take Over' }).click()
      await details.getByText('taken by you').waitFor()
      await details.getByRole('button', { name: 'Hand Back' }).click()
      await details.getByRole('button', { name: 'Take Over' }).waitFor()
    },
    testTimeoutMs,
  )
}

const parentOf = async (client: Client, label: string) =>
  (await client.call('lineage', {})).nodes.find((node) => node.label === label)?.parentId

async function menuOf(editor: Editor, name: string, title: string): Promise<void> {
  await editor.clickInTree(name, 'right')
  await editor.page.locator('.monaco-menu .action-item', { hasText: title }).first().hover()
  await editor.page.locator('.monaco-menu .action-item.focused', { hasText: title }).waitFor()
  // The editor ignores a click that comes too soon after the menu opens.
  await editor.page.keyboard.press('Enter')
}
