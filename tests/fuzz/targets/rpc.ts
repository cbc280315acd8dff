/** Verbs over the daemon's socket: every call is answered once, and an invalid line is refused. */

import assert from 'node:assert/strict'
import { type Client, errorCodes, isTermError, TermError } from '@agentpty/protocol'
import type {
  OverviewEvent,
  OverviewOptions,
  SessionEvent,
  TerminalsEvent,
  WatchOptions,
} from '@agentpty/protocol/session'
import { fromWireError, fromWireEvent, toWireError, toWireEvent } from '@agentpty/protocol/testing'
import { type VerbName, verbs } from '@agentpty/protocol/verbs'
import { parseObject } from '@agentpty/protocol/wire'
import { WireServer } from '@agentpty/protocol/wire-server'
import type { Target } from '../target.ts'

export const rpc: Target = {
  name: 'rpc',
  covers: ['protocol/src/wire/', 'protocol/src/session/events.ts', 'protocol/src/wire/line-wire.ts'],
  words: [
    '\n',
    '{',
    '}',
    '"id":1',
    '"id":2',
    ',',
    '"method":"read"',
    '"method":"wait"',
    '"method":"follow"',
    '"cancel":1',
    '{"id":1,"method":"read","params":{"terminalId":"term-1","since":0}}',
    '{"cancel":1}',
    '"turn":true',
    '"since":3',
    '{"id":2,"method":"follow","params":{"terminalId":"t"}}',
    '{"id":3,"method":"daemon.status"}',
    '"params":null',
    '{"id":4,"method":"daemon.stop","params":{"all":true}}',
    '{"id":5,"method":"wait","params":{"terminalIds":["a"]}}',
    '{"read":2,"count":16}',
    '{"id":6,"method":"watch"}',
    '"method":"list"',
    '"method":"toString"',
    '"__proto__":{}',
    '1e999',
    '-0',
    '[]',
  ],
  bytesMax: 1_500,
  /** Each line is one message to the server; then its client disconnects. */
  async check(input) {
    const sent: string[] = []
    const server = new WireServer({
      client: stubClient,
      send: (line) => sent.push(line),
      room: () => null,
    })
    const asked: number[] = []
    for (const line of Buffer.from(input).toString('utf8').split('\n')) {
      const id = callOf(line)
      const isNew = id !== null && !asked.includes(id)
      if (isNew) asked.push(id)
      if (isNew || isNote(line)) server.receive(line)
      else assert.throws(() => server.receive(line), Error, 'what is no message is refused')
    }
    await new Promise((resolve) => setImmediate(resolve))
    server.close()
    await new Promise((resolve) => setImmediate(resolve))
    checkAnswers(sent, asked)
  },
}

function callOf(line: string): number | null {
  const { id, method, cancel, read } = parseObject(line) ?? {}
  const isCall = typeof cancel !== 'number' && typeof read !== 'number'
  return isCall && typeof id === 'number' && typeof method === 'string' ? id : null
}

/** Messages that are neither a call nor an error: a cancellation, or an event count. */
function isNote(line: string): boolean {
  const { cancel, read } = parseObject(line) ?? {}
  return typeof cancel === 'number' || typeof read === 'number'
}

/** An id that does not survive the wire is the caller's responsibility. */
function checkAnswers(sent: readonly string[], asked: readonly number[]): void {
  const messages = sent.map((line) => {
    assert.ok(!line.includes('\n'), 'a message fits a line')
    const message = parseObject(line)
    assert.ok(message !== null)
    return message
  })
  const answers = messages.filter((message) => 'result' in message || 'error' in message)
  const overTheWire = asked.map((id) => JSON.stringify(id))
  assert.deepEqual(answers.map(({ id }) => JSON.stringify(id)).toSorted(), overTheWire.toSorted(), 'one answer a call')
  for (const { error } of answers) if (error !== undefined) checkError(error)
  for (const message of messages) {
    if ('event' in message) checkEvent(fromWireEvent(message['data']))
    else if ('progress' in message) assert.equal(typeof message['waitedMs'], 'number')
  }
}

function checkError(error: unknown): void {
  const read = fromWireError(error)
  assert.ok(isTermError(read) && errorCodes.includes(read.code) && read.message !== '' && read.hint !== '')
  assert.deepEqual(toWireError(read), error)
  assert.notEqual(read.code, 'internal', read.message)
}

function checkEvent(event: SessionEvent): void {
  assert.deepEqual(fromWireEvent(JSON.parse(JSON.stringify(toWireEvent(event)))), event)
}

function watchStub(options: OverviewOptions): AsyncIterable<OverviewEvent>
function watchStub(options?: WatchOptions): AsyncIterable<TerminalsEvent>
function watchStub(options?: WatchOptions | OverviewOptions): AsyncIterable<OverviewEvent | TerminalsEvent> {
  return options?.overview ? oneOverview() : oneList()
}

async function* oneOverview(): AsyncGenerator<OverviewEvent> {
  yield { type: 'overview', isWhole: true, terminals: [], gone: [], nodes: [], needs: [] }
}

async function* oneList(): AsyncGenerator<TerminalsEvent> {
  yield { type: 'terminals', terminals: [{ terminalId: 'term-1', name: null }] }
}

/** Parses as the real client does, waits until cancelled if a verb waits, and yields every kind of event. */
const stubClient: Client = {
  async call(name, input, context) {
    const parsed = verbs[name as VerbName].input.safeParse(input)
    if (!parsed.success) throw new TermError('invalid_input', 'No such input.', 'Give another.')
    context?.progress?.(1, 2)
    if (name === 'wait') await new Promise((resolve) => context?.signal?.addEventListener('abort', resolve))
    return { output: 'é\n' } as never
  },
  async *follow(terminalId, { output, turn, signal }) {
    if (terminalId.length > 10) throw new TermError('session_not_found', 'No such terminal.', 'Open one.')
    if (output !== undefined)
      yield { type: 'output', offset: 0, bytes: Buffer.from([0, 255, 10]), next: 3, missedBytes: 0 }
    if (turn) await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    yield { type: 'exit', exit: { code: 0, signal: null } }
  },
  watch: watchStub,
  tools: { call: () => Promise.reject(new Error('no door here')) },
  control: { status: async () => ({}) as never, stop: async () => {} },
  async close() {},
}
