/** The hover of a need: its question and options, the effects of an approval, and the last rows of the screen. */

import type { Approval } from '@agentpty/protocol/approvals'
import type { Need } from '@agentpty/protocol/needs'
import { needWords } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import { approvalText } from './approval-question.ts'

/** The hover has room for as many rows without a scroll bar. */
const screenRowsMax = 10

/** Facts that cannot be read are left out: the question itself is always there. */
export async function needTooltip(client: WireClient | null, need: Need): Promise<vscode.MarkdownString> {
  const [approval, screen] = await Promise.all([approvalOf(client, need), lastRows(client, need)])
  const hover = new vscode.MarkdownString()
  hover.appendText(`${need.title} ${needWords[need.kind]}${need.askedBy === undefined ? '' : `, ${need.askedBy}`}`)
  hover.appendCodeblock(approval === null ? need.text.trim() : approvalText(approval).trim(), 'text')
  if (approval === null && need.options !== undefined)
    hover.appendCodeblock(need.options.map((option) => `• ${option}`).join('\n'), 'text')
  if (screen === '') return hover
  hover.appendText('The last rows of its screen:')
  hover.appendCodeblock(screen, 'text')
  return hover
}

async function approvalOf(client: WireClient | null, { kind, needId }: Need): Promise<Approval | null> {
  if (client === null || kind !== 'approval') return null
  const { approvals } = await client.call('approvals', {}).catch(() => ({ approvals: [] }))
  return approvals.find(({ approvalId }) => approvalId === needId) ?? null
}

async function lastRows(client: WireClient | null, { terminalId }: Need): Promise<string> {
  if (client === null || terminalId === null) return ''
  // The terminal may have been closed meanwhile.
  const { screen } = await client.call('screenshot', { terminalId, format: 'plain' }).catch(() => ({ screen: '' }))
  return screen.trimEnd().split('\n').slice(-screenRowsMax).join('\n')
}
