/** One example of each thing that people are shown. */

import type { Approval } from '../approvals/approval.ts'
import type { Need } from '../needs.ts'
import type { TimelineItem } from '../timeline/timeline-item.ts'

export const exampleApproval: Approval = {
  approvalId: 'ap-3',
  state: 'open',
  askedAt: 1_795_000_000_000,
  expiresAt: 1_795_000_900_000,
  client: 'claude-code 2.1.4 (MCP)',
  scope: null,
  chain: [],
  through: [],
  terminalId: 'term-2',
  cwd: '/srv/app',
  action: 'type',
  text: 'rm -rf build\n',
  resolved: 'rm -rf build',
  rule: 'deletion',
  reason: 'It deletes files.',
  effects: ['deletes 214 files in build (3.1 MB), none tracked by git'],
  news: 'The first of its kind in this folder.',
  offer: { same: 'rm -rf build', like: 'rm -rf *' },
  answeredBy: null,
}

export const exampleNeed: Need = {
  needId: 'term-4@8210',
  kind: 'dialog',
  terminalId: 'term-4',
  title: 'fix-tests',
  text: 'Would you like to run the following command?',
  options: ['Yes, proceed (y)', 'No, and tell Codex what to do differently (esc)'],
  since: 1_795_000_000_000,
  askedBy: 'codex',
  answerBy: { verb: 'reply', input: { terminalId: 'term-4' }, answer: 'option' },
}

export const exampleItem: TimelineItem = {
  kind: 'command',
  at: 1_750_000_011_000,
  offset: 318,
  line: 'make test',
  end: 8_210,
  endedAt: 1_750_000_019_000,
  exitCode: 2,
}
