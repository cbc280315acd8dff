/** Which calls are worth a record, and what the record says. */

import { type AuditBody, auditOpenMs, auditTypingMs } from '@agentpty/protocol/audit'
import type { Call, CallContext, JudgedNote } from '@agentpty/protocol/call'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { AuditJournal } from './audit-journal.ts'

const allowed: JudgedNote = {
  verdict: 'allow',
  rule: 'none',
  source: 'built-in',
  profile: 'standard',
  profileSource: null,
  resolved: '',
  reason: 'Nothing speaks against it.',
  text: 'make',
  bytes: 5,
  cwd: '/srv',
  approvalId: null,
}
const refused: JudgedNote = {
  ...allowed,
  verdict: 'deny',
  rule: 'deny-rule',
  source: { file: '/c.yaml', line: 3 },
  resolved: 'docker push',
  text: 'x; docker push',
  reason: 'A rule forbids it.',
}

interface Put {
  readonly id: string
  readonly body: AuditBody
}

/** Instead of a file: a list of what is put, or `broken`. */
function open(broken: (() => never) | null = null) {
  const clock = new FakeClock()
  const put: Put[] = []
  const failures: unknown[] = []
  let last = 0
  const newId = () => {
    broken?.()
    last += 1
    return `au-${last}`
  }
  const writer = {
    newId,
    put: (body: AuditBody, { id = newId() }: { readonly id?: string } = {}) => void put.push({ id, body }),
  }
  let offset = 100
  const journal = new AuditJournal({
    clock,
    writer,
    terminal: (name) => (name === 'term-1' || name === 'build' ? { id: 'term-1', offset, createdBy: 'mcp-1' } : null),
    chainTo: (id) => (id === null ? [] : ['term-9', id]),
    inWords: (chain) => chain.map((id) => `claude in ${id}`),
    failed: (error) => void failures.push(error),
  })
  return {
    clock,
    journal,
    put,
    failures,
    prints: (bytes: number) => {
      offset += bytes
    },
  }
}

const context: CallContext = { client: 'mcp-1', cwd: '/', env: {} }
const callOf = (
  name: Call['name'],
  input: object = { terminalId: 'term-1' },
  more: Partial<CallContext> = {},
): Call => ({
  name,
  input,
  context: { ...context, ...more },
})

test('a judged call is one record: its caller, its content, its rule, its place in the output and its end', () => {
  const { journal, put, prints } = open()
  const call = callOf(
    'send',
    { terminalId: 'build', text: 'make' },
    { program: 'claude-code', env: { AGENTPTY_TERMINAL: 'term-3' } },
  )
  const id = journal.judged(call, allowed)
  prints(50)
  journal.note(call, 'done', {})
  expect(put).toEqual([
    {
      id,
      body: {
        kind: 'call',
        verb: 'send',
        session: 'term-1',
        offset: 100,
        end: 150,
        cwd: '/srv',
        text: 'make',
        bytes: 5,
        who: {
          client: 'mcp-1',
          program: 'claude-code',
          chain: ['term-9', 'term-3'],
          through: ['claude in term-9', 'claude in term-3'],
        },
        verdict: 'allow',
        profile: 'standard',
        outcome: 'done',
      },
    },
  ])
})

test('a refusal has the rule, where that is written, and the id that the agent received', () => {
  const { journal, put } = open()
  const call = callOf('send')
  const id = journal.judged(call, refused)
  journal.note(call, 'denied')
  expect(put).toMatchObject([
    {
      id,
      body: { rule: 'deny-rule', source: { file: '/c.yaml', line: 3 }, resolved: 'docker push', outcome: 'denied' },
    },
  ])
})

test('a call that goes on is recorded before its end, which is a record of its own', () => {
  const { journal, put, clock, prints } = open()
  const call = callOf('send')
  const id = journal.judged(call, allowed)
  clock.advance(auditOpenMs)
  expect(put).toMatchObject([{ id, body: { outcome: 'open', offset: 100 } }])
  prints(7)
  journal.note(call, 'session_exited')
  expect(put[1]?.body).toEqual({ kind: 'end', of: id, outcome: 'session_exited', session: 'term-1', offset: 107 })
  clock.advance(10 * auditOpenMs)
  expect(put).toHaveLength(2)
})

test('reading is not recorded, except the first look into a terminal that another caller opened', () => {
  const { journal, put } = open()
  for (const name of ['read', 'wait', 'list', 'screenshot', 'follow', 'watch', 'status'] as const)
    journal.note(callOf(name), 'done')
  expect(put).toEqual([])
  for (let time = 0; time < 1_000; time++) journal.note(callOf('read', undefined, { client: 'mcp-2' }), 'done')
  journal.note(callOf('screenshot', undefined, { client: 'mcp-2' }), 'done')
  expect(put).toMatchObject([{ body: { verb: 'read', who: { client: 'mcp-2' }, session: 'term-1' } }])
})

test('a refusal is recorded, also of a call that only reads, and once for each caller', () => {
  const { journal, put } = open()
  for (let time = 0; time < 100; time++) journal.note(callOf('read'), 'denied')
  expect(put).toMatchObject([{ body: { verb: 'read', outcome: 'denied' } }])
})

test('what a person types is one record for some seconds, without the keys', () => {
  const { journal, put, clock, prints } = open()
  for (const key of ['h', 'u', 'n', 't', 'e', 'r', '2'])
    journal.note(callOf('write', { terminalId: 'term-1', data: btoa(key) }, { isPerson: true }), 'done')
  prints(3)
  clock.advance(auditTypingMs)
  expect(put).toHaveLength(1)
  expect(put[0]?.body).toMatchObject({ verb: 'write', who: { person: true }, session: 'term-1', offset: 100 })
  expect(JSON.stringify(put)).not.toContain(btoa('h'))
})

test('the text of an answer, and of what is typed at a password prompt, is nowhere', () => {
  const { journal, put } = open()
  journal.note(callOf('answer', { questionId: '8c1d', text: 'hunter2' }), 'done')
  const call = callOf('send', { terminalId: 'term-1', text: 'hunter2' })
  journal.judged(call, { ...allowed, text: null, bytes: null })
  journal.note(call, 'done')
  expect(put).toHaveLength(2)
  expect(JSON.stringify(put)).not.toContain('hunter2')
})

test('a long text is kept for its beginning and its end', () => {
  const { journal, put } = open()
  const call = callOf('send')
  journal.judged(call, { ...allowed, text: `begin${'x'.repeat(5_000_000)}end` })
  journal.note(call, 'done')
  const body = put[0]?.body
  const text = body?.kind === 'call' ? (body.text ?? '') : ''
  expect(text).toMatch(/^begin.*\[4999008 characters\].*end$/)
  expect(text.length).toBeLessThan(1_100)
})

test('a journal with a defect harms no call, and tells of it', () => {
  const { journal, failures } = open(() => {
    throw new Error('a defect')
  })
  expect(journal.judged(callOf('send'), allowed)).toBeNull()
  journal.put({ kind: 'journal', event: 'started' })
  expect(failures).toEqual([new Error('a defect'), new Error('a defect')])
})

test('the caller that stops the daemon is recorded before it stops', () => {
  const { journal, put } = open()
  const call = callOf('stop', { all: true })
  journal.begins(call)
  expect(put).toMatchObject([{ body: { verb: 'stop', outcome: 'open' } }])
})
