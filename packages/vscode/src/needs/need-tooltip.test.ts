import { exampleApproval, exampleNeed } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { FakeDaemon } from '../testing/fake-daemon.ts'
import { needTooltip } from './need-tooltip.ts'

test('the hover of a dialog has its question, all options, and the last rows of its screen', async () => {
  const daemon = new FakeDaemon()
  const screen = Array.from({ length: 30 }, (_, at) => `row ${at}`).join('\n')
  daemon.answers.set('screenshot', { screen: `${screen}\n\n` })
  const { value } = await needTooltip(daemon.client, exampleNeed)
  for (const shown of [exampleNeed.text, ...(exampleNeed.options ?? []), 'row 20\n', 'row 29'])
    expect(value).toContain(shown)
  expect(value).not.toContain('row 19\n')
})

test('the hover of an approval has its effects and its whole text', async () => {
  const daemon = new FakeDaemon()
  const approval = { ...exampleApproval, approvalId: 'ap-1', effects: ['deletes 3 files'], text: 'rm -r old' }
  daemon.answers.set('approvals', { approvals: [approval] })
  daemon.answers.set('screenshot', new Error('closed'))
  const { value } = await needTooltip(daemon.client, { ...exampleNeed, kind: 'approval', needId: 'ap-1' })
  expect(value).toContain('deletes 3 files')
  expect(value).toContain('rm -r old')
  expect(value).not.toContain('The last rows')
})
