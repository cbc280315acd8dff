import { TermError } from '@agentpty/protocol'
import type { Need } from '@agentpty/protocol/needs'
import type { Overview } from '@agentpty/protocol/overview'
import { exampleNeed } from '@agentpty/protocol/testing'
import { beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import { FakeDaemon, settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { Answering } from './answering.ts'

beforeEach(forgetAll)

const need = (other: Partial<Need>): Need => ({ ...exampleNeed, ...other })

/** Starts to answer a need, as after a person's click. */
async function ask(one: Need, daemon = new FakeDaemon()) {
  const overview = new Observable<Overview | null>({ rows: [], nodes: [], needs: [one] })
  const shown: string[] = []
  const answering = new Answering({ client: () => daemon.client, overview, show: (id) => shown.push(id) })
  const done = answering.ask(one)
  await settled()
  return { daemon, overview, shown, done, asked: editor.asked[0] }
}

const text = need({
  kind: 'question',
  text: 'Which port?',
  answerBy: { verb: 'answer', input: { questionId: 'q-1' }, answer: 'text' },
})
const secret = need({
  kind: 'password',
  isSecret: true,
  text: 'Password:',
  answerBy: { verb: 'secret', input: { terminalId: 'term-4' }, answer: 'value' },
})
const confirmation = need({
  kind: 'confirmation',
  options: ['y', 'N'],
  answerBy: { verb: 'send', input: { terminalId: 'term-4', ifAsked: 'it' }, answer: 'text' },
})
const approval = need({
  kind: 'approval',
  needId: 'approval-1',
  answerBy: { verb: 'decide', input: { approvalId: 'approval-1' }, answer: 'decision' },
})

function daemonWithApprovals(more = {}): FakeDaemon {
  const daemon = new FakeDaemon()
  const effects = ['deletes 3 files']
  daemon.answers.set('approvals', {
    approvals: [
      { approvalId: 'approval-1', text: 'rm -r old\n', effects, reason: 'It deletes.', cwd: '/work', ...more },
    ],
  })
  return daemon
}

test.each([
  ['a question', text, '8080', ['answer', { questionId: 'q-1', waitFor: 'none', text: '8080' }]],
  ['a password', secret, 'pass', ['secret', { terminalId: 'term-4', value: 'pass' }]],
  ['a yes or no', confirmation, 'y', ['send', { terminalId: 'term-4', ifAsked: 'it', waitFor: 'none', text: 'y' }]],
  ['a dialog', need({}), 'Yes, proceed (y)', ['reply', { terminalId: 'term-4', option: 'Yes, proceed (y)' }]],
  [
    'a request to take over',
    need({ kind: 'takeOver', answerBy: { verb: 'take', input: { terminalId: 'term-4' }, answer: null } }),
    'Take Over',
    ['take', { terminalId: 'term-4' }],
  ],
  [
    'a failure',
    need({ kind: 'failure', answerBy: { verb: 'dismiss', input: { needId: 'n-1' }, answer: null } }),
    'Dismiss',
    ['dismiss', { needId: 'n-1' }],
  ],
] as const)('%s is answered by the verb that it names', async (_, one, given, call) => {
  const { daemon, asked, done } = await ask(one)
  asked?.answer(given)
  await done
  expect(daemon.calls).toEqual([call])
})

test('an approval shows all of its text and is decided', async () => {
  const { daemon, asked, done, shown } = await ask(approval, daemonWithApprovals())
  expect(asked?.options).toMatchObject({ modal: true, detail: 'rm -r old\n\ndeletes 3 files\nIt deletes.\nin /work' })
  expect(asked?.choices).toEqual(['Deny', 'Allow Once'])
  asked?.answer('Deny')
  await done
  expect(daemon.inputsOf('decide')).toEqual([{ approvalId: 'approval-1', decision: 'deny' }])
  expect(shown).toEqual([])
})

test.each([
  ['Deny and End the Job', { decision: 'deny', endJob: true }],
  ['Allow Here for 7 Days', { decision: 'allow', grant: { command: 'same', where: 'folder', forMs: 604_800_000 } }],
])('what a gate holds can be answered with "%s"', async (given, input) => {
  const { daemon, asked, done } = await ask(approval, daemonWithApprovals({ rule: 'effects', offer: { same: 'x' } }))
  expect(asked?.choices).toEqual(['Deny', 'Allow Once', 'Deny and End the Job', 'Allow Here for 7 Days'])
  asked?.answer(given)
  await done
  expect(daemon.inputsOf('decide')).toEqual([{ approvalId: 'approval-1', ...input }])
})

test.each([
  ['a question', text],
  ['an approval', approval],
])('%s that is closed without an answer has none', async (_, one) => {
  const { daemon, asked, done } = await ask(one, daemonWithApprovals())
  asked?.answer(undefined)
  await done
  expect(daemon.calls.filter(([verb]) => verb !== 'approvals')).toEqual([])
})

test.each([
  ['a yes or no', confirmation],
  ['a dialog', need({})],
])('%s is not answered by the row that Enter chooses', async (_, one) => {
  const { daemon, asked, done } = await ask(one)
  asked?.answer(asked.choices[0])
  await done
  expect(daemon.calls).toEqual([])
})

test('a password is typed hidden while its terminal is shown', async () => {
  const { asked, shown } = await ask(secret)
  expect(asked?.options).toMatchObject({ password: true })
  expect(shown).toEqual(['term-4'])
})

test('a dialog closes after an answer elsewhere', async () => {
  const { daemon, overview, done } = await ask(confirmation)
  overview.set({ rows: [], nodes: [], needs: [] })
  await done
  expect(daemon.calls).toEqual([])
})

test('a need answered meanwhile shows a message instead of a dialog', async () => {
  const daemon = new FakeDaemon()
  const overview = new Observable<Overview | null>({ rows: [], nodes: [], needs: [] })
  await new Answering({ client: () => daemon.client, overview, show: () => {} }).ask(confirmation)
  expect(editor.asked.map(({ text }) => text)).toEqual([
    'fix-tests does not ask that any more: it was answered elsewhere.',
  ])
  expect(daemon.calls).toEqual([])
})

test('a dialog stays while the connection is lost', async () => {
  const { daemon, overview, asked, done } = await ask(confirmation)
  overview.set(null)
  asked?.answer('y')
  await done
  expect(daemon.inputsOf('send')).toHaveLength(1)
})

test.each([
  ['not_asking', 'fix-tests does not ask that any more: it was answered elsewhere.'],
  ['person_types', 'Only agents type in this terminal. Take it over first.'],
  ['input_full', 'Full. Wait.'],
] as const)('an answer refused as %s shows a message', async (code, words) => {
  const daemon = new FakeDaemon()
  daemon.answers.set('send', new TermError(code, 'Full.', 'Wait.'))
  const { asked, done } = await ask(confirmation, daemon)
  asked?.answer('y')
  await done
  expect(editor.asked[1]?.text).toBe(words)
})
