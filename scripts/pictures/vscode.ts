/** The pictures of VS Code: an approval, the details of a terminal, and a terminal of the editor that is observed. */

import type { Page } from 'playwright-core'
import { Editor } from '../../tests/vscode/editor.ts'
import { pictureFile, type Scene } from './scene.ts'
import { shop } from './shop.ts'

export async function drawEditor({ instance, agentpty }: Scene): Promise<void> {
  // Notifications would cover what is shown.
  const editor = await Editor.open(instance, { 'agentpty.needs.notify': false })
  try {
    const { page } = editor
    await page.setViewportSize({ width: 1_280, height: 760 })
    await page.goto(`${new URL(page.url()).origin}/?folder=${shop}`)
    await editor.untilConnected()
    await editor.showView()
    await drawApproval(editor)
    await drawDetails(editor)
    // The observed terminal needs the space of the others.
    for (const name of ['release', 'deploy', 'build', 'merge', 'docs-writer', 'api']) await agentpty('close', name)
    await drawObserved(editor)
  } finally {
    await editor.close()
  }
}

async function drawApproval(editor: Editor): Promise<void> {
  const { page } = editor
  await editor.needs('rm -r build').click()
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Allow once' }).waitFor()
  await shoot(page, 'vscode-answer')
  await page.keyboard.press('Escape')
}

async function drawDetails(editor: Editor): Promise<void> {
  const { page } = editor
  await editor.clickInTree('tests', 'right')
  await page.locator('.monaco-menu .action-item', { hasText: 'Show Details' }).click()
  const details = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame')
  await details.getByText('git commit').first().waitFor()
  await shoot(page, 'vscode-details')
}

async function drawObserved(editor: Editor): Promise<void> {
  const { page } = editor
  await page.locator('.pane-header', { hasText: 'Other Terminals' }).click()
  await editor.command('Terminal: Create New Terminal')
  const row = page.locator('.monaco-list-row', { hasText: 'observed' }).last()
  await row.filter({ hasText: 'at its prompt' }).waitFor()
  const type = async (line: string) => {
    await page.locator('.terminal-wrapper.active').click()
    await page.keyboard.type(`${line}\n`)
  }
  const commandRow = (line: string) =>
    page.locator('.monaco-list-row', { hasText: line }).filter({ hasText: 'exit code' })
  await type('ls')
  // The row can be opened once it has a command.
  await row.locator('.monaco-tl-twistie').click()
  await commandRow('ls').waitFor()
  for (const line of ['bash -c "exit 7"', 'git log --oneline -3']) {
    await type(line)
    await commandRow(line).waitFor()
  }
  await shoot(page, 'vscode-observed')
}

async function shoot(page: Page, name: string): Promise<void> {
  // Lists fade in.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null))))
  await page.screenshot({ path: pictureFile(`${name}.png`) })
}
