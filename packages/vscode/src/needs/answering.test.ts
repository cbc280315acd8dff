import { TermError } from '@agentpty/protocol'
import { type Need, steadyMs } from '@agentpty/protocol/needs'
import type { Overview } from '@agentpty/protocol/overview'
import { exampleApproval, exampleNeed, FakeClock } from '@agentpty/protocol/testing'
import { beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import { FakeDaemon, settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { Answering } from './answering.ts'

beforeEach(forgetAll)

const need = (other: Partial<Need>): Need => ({ ...exampleNeed, ...other })

/** Starts to answer a need, as after a person's click, and waits until an answer counts. */
async function ask(one: Need, daemon = new FakeDaemon(), waitMs: number = steadyMs) {
  const overview = new Observable<Overview | null>({ rows: [], nodes: [], needs: [one] })
  const clock = new FakeClock()
  const shown: string[] = []
  const read: string[] = []
  const answering = new Answering({
    client: () => daemon.client,
    overview,
    clock,
    show: (id) => shown.push(id),
    read: (_title, text) => read.push(text),
  })
  const done = answering.ask(one)
  await settled()
  clock.advance(waitMs)
  /** Answers the newest question, once an answer counts. */
  const answer = async (given: string | undefined) => {
    editor.asked.at(-1)?.answer(given)
    await settled()
    clock.advance(steadyMs)
  }
  return { daemon, overview, clock, shown, read, answering, done, answer, asked: editor.asked[0] }
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
  answerBy: { verb: 'decide', input: { approvalId: 'approval-1' }, answer: 'answer' },
})

function daemonWithApprovals(more: Partial<typeof exampleApproval> = {}): FakeDaemon {
  const daemon = new FakeDaemon()
  const about = { effects: ['deletes 3 files'], reason: 'It deletes.', cwd: '/work', text: 'rm -r old\n' }
  const approval = {
    ...exampleApproval,
    ...about,
    terminalId: 'term-4',
    offer: null,
    through: [],
    approvalId: 'approval-1',
  }
  daemon.answers.set('approvals', { approvals: [{ ...approval, ...more }] })
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
    'Take over',
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

test('an approval begins with its effects and its command, which answer nothing', async () => {
  const { asked, answer, daemon, read } = await ask(approval, daemonWithApprovals())
  expect(asked?.options).toMatchObject({ placeholder: 'It deletes.' })
  const answers = ['Deny', 'Allow once', 'Show the terminal']
  expect(asked?.choices).toEqual(['$(warning) deletes 3 files', '$(chevron-right) rm -r old', ...answers])
  for (const row of asked?.choices.slice(0, 2) ?? []) await answer(row)
  expect(read).toHaveLength(2)
  expect(read[0]).toContain('rm -r old')
  expect(daemon.inputsOf('decide')).toEqual([])
})

test.each([
  ['Deny', { answer: 'deny' }],
  ['Allow once', { answer: 'allow' }],
  ['Deny and end the job', { answer: 'deny', endJob: true }],
])('an approval is answered with "%s"', async (given, input) => {
  const { daemon, answer, done } = await ask(approval, daemonWithApprovals({ rule: 'effects' }))
  await answer(given)
  await done
  expect(daemon.inputsOf('decide')).toEqual([{ approvalId: 'approval-1', ...input }])
})

test('the like is allowed from now on in three steps, each of which begins with the way back', async () => {
  const offer = { same: 'rm -r old', like: 'rm -r *' }
  const { daemon, answer, done } = await ask(approval, daemonWithApprovals({ offer }))
  for (const given of ['Allow from now on…', 'rm -r *', 'in term-4 only']) await answer(given)
  expect(editor.asked.at(-1)?.choices).toEqual(['Back to the question', '1 hour', '8 hours', '7 days'])
  await answer('Back to the question')
  for (const given of ['Allow from now on…', 'rm -r *', 'in every terminal in /work', '1 hour']) await answer(given)
  await done
  const grant = { command: 'like', where: 'folder', forMs: 3_600_000 }
  expect(daemon.inputsOf('decide')).toEqual([{ approvalId: 'approval-1', answer: 'allow', grant }])
})

test('an approval longer than its list is shown whole beside it', async () => {
  const long = Array.from({ length: 40 }, (_, at) => `echo ${at}`).join('\n')
  const { asked, read } = await ask(approval, daemonWithApprovals({ text: long }))
  expect(read).toEqual([expect.stringContaining('echo 39')])
  expect(asked?.choices).toContain('$(go-to-file) 32 more rows: show all of it')
})

test('a command that looks like an icon is shown as it is', async () => {
  const { asked } = await ask(approval, daemonWithApprovals({ text: 'echo $(id) $(trash)' }))
  expect(asked?.choices[1]).toBe('$(chevron-right) echo $\u200b(id) $\u200b(trash)')
})

test.each([
  ['an approval', approval, 'Allow once', 'decide'],
  ['a dialog', need({}), 'Yes, proceed (y)', 'reply'],
  ['a password', secret, 'pass', 'secret'],
] as const)('%s takes no answer in its first half second', async (_, one, given, verb) => {
  const { daemon, clock, asked, done } = await ask(one, daemonWithApprovals(), steadyMs - 1)
  asked?.answer(given)
  await settled()
  expect(daemon.inputsOf(verb)).toEqual([])
  clock.advance(1)
  asked?.answer(given)
  await done
  expect(daemon.inputsOf(verb)).toHaveLength(1)
})

test('a question that changes is shown anew, and takes no answer in its first half second', async () => {
  const { daemon, clock, overview, done } = await ask(confirmation)
  overview.set({ rows: [], nodes: [], needs: [{ ...confirmation, text: 'Delete everything?' }] })
  const again = editor.asked.at(-1)
  expect(again?.choices[0]).toBe('Delete everything?')
  again?.answer('y')
  await settled()
  expect(daemon.calls).toEqual([])
  clock.advance(steadyMs)
  again?.answer('y')
  await done
  expect(daemon.inputsOf('send')).toMatchObject([{ text: 'y' }])
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
  const { daemon, asked, done, shown } = await ask(one)
  asked?.answer(asked.choices[0])
  await done
  expect(daemon.calls).toEqual([])
  // The row of the question leads to its terminal.
  expect(shown).toEqual(['term-4', 'term-4'])
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
  const parts = { client: () => daemon.client, overview, clock: new FakeClock(), show: () => {}, read: () => {} }
  await new Answering(parts).ask(confirmation)
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
