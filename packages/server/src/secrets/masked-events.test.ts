import { OutputLog } from '@agentpty/engine/log'
import { secretHeldMs } from '@agentpty/protocol/secrets'
import type { Frame, SessionEvent, Verdict } from '@agentpty/protocol/session'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { maskedEvents } from './masked-events.ts'
import { Secrets } from './secrets.ts'

const clock = new FakeClock()
const secrets = new Secrets()
secrets.add('blue horse')

const verdict: Verdict = {
  state: 'ready',
  kind: 'line',
  confidence: 'high',
  needs: null,
  question: 'blue horse?',
  evidence: [],
  rule: '',
  since: 0,
}

/** A session whose events come as they are given; `end` ends them. */
function followed(given: readonly SessionEvent[] = []) {
  const log = new OutputLog({ capacityBytes: 1_000 })
  const events: (SessionEvent | null)[] = [...given]
  let wake = () => {}
  let isFollowed = false
  const give = (event: SessionEvent | null) => {
    events.push(event)
    wake()
  }
  async function* follow({ signal }: { readonly signal?: AbortSignal }): AsyncGenerator<SessionEvent> {
    isFollowed = true
    signal?.addEventListener('abort', () => give(null))
    try {
      for (;;) {
        const event = events.shift()
        if (event === undefined) await new Promise<void>((resolve) => (wake = resolve))
        else if (event === null) break
        else yield event
      }
    } finally {
      isFollowed = false
    }
  }
  const print = (text: string, missedBytes = 0) => {
    const offset = log.end
    log.append(Buffer.from(text))
    give({ type: 'output', offset, bytes: Buffer.from(text), next: log.end, missedBytes })
  }
  const stream = maskedEvents({ log, followers: { follow } }, { output: { since: 0 } }, { secrets, clock })
  return { log, print, give, stream, isFollowed: () => isFollowed }
}

/** Formats an event as a short line: `0-12 text`. */
function shown(event: SessionEvent | undefined): string {
  if (event?.type !== 'output') return event?.type ?? 'over'
  return `${event.offset}-${event.next} ${Buffer.from(event.bytes)}`
}

const nextOf = async (stream: AsyncGenerator<SessionEvent>) => shown((await stream.next()).value ?? undefined)
/** Promises that are settled have been seen by then. */
const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

test('a secret in two pieces is masked, and what is before it does not wait', async () => {
  const { stream, print } = followed()
  print('it is blue')
  expect(await nextOf(stream)).toBe('0-6 it is ')
  const coming = nextOf(stream)
  print(' horse\n')
  expect(await coming).toBe('6-17 [masked: secret]\n')
  await stream.return(undefined)
})

test('the possible beginning of one waits for a bounded time', async () => {
  const { stream, print } = followed()
  print('b')
  const coming = nextOf(stream)
  await turnOfTheLoop()
  clock.advance(secretHeldMs)
  expect(await coming).toBe('0-1 b')
  expect(clock.pending).toBe(0)
  await stream.return(undefined)
})

test('it waits only until input is needed, and the question is masked too', async () => {
  const { stream, print, give } = followed()
  print('b')
  give({ type: 'turn', at: 1, verdict, heldMs: 0 })
  expect(await nextOf(stream)).toBe('0-1 b')
  expect((await stream.next()).value).toMatchObject({ type: 'turn', verdict: { question: '[masked: secret]?' } })
  await stream.return(undefined)
})

test('it waits no longer than until the program ends', async () => {
  const { stream, print, give } = followed()
  print('blue')
  give({ type: 'exit', exit: { code: 0, signal: null } })
  expect([await nextOf(stream), await nextOf(stream)]).toEqual(['0-4 blue', 'exit'])
  await stream.return(undefined)
})

test('a secret that began before the first byte that is asked for is masked from there on', async () => {
  const { stream, log, print } = followed()
  log.append(Buffer.from('blue '))
  print('horse\n')
  expect(await nextOf(stream)).toBe('5-11 [masked: secret]\n')
  await stream.return(undefined)
})

test('a gap is reported, and text is not joined across it', async () => {
  const { stream, log, print } = followed()
  print('blue ')
  const first = nextOf(stream)
  await turnOfTheLoop()
  log.skipTo(20)
  print('horse', 15)
  expect(await first).toBe('0-5 blue ')
  const { value } = await stream.next()
  expect([shown(value ?? undefined), value?.type === 'output' && value.missedBytes]).toEqual(['20-25 horse', 15])
  await stream.return(undefined)
})

test('a follower that stops reading is dropped, also while output is held back', async () => {
  const { stream, print, isFollowed } = followed()
  print('it is blue')
  await stream.next()
  expect(isFollowed()).toBe(true)
  await stream.return(undefined)
  expect([isFollowed(), clock.pending]).toEqual([false, 0])
})

const frame: Frame = {
  at: 0,
  size: { cols: 12, rows: 4 },
  top: 0,
  left: 0,
  isWhole: false,
  rows: [],
  cursor: null,
  modes: [],
  title: 'blue horse',
}

test('frames are masked as wide as they are, over rows and frames, and each row that looks different is in them', async () => {
  const { stream, give } = followed()
  const rowsOf = async () => {
    const { value } = await stream.next()
    return value?.type === 'frame' ? value.rows : []
  }
  give({
    type: 'frame',
    ...frame,
    isWhole: true,
    rows: [
      [1, 'so: \x1b[0;1mblue\x1b[0m hor'],
      [2, 'ses'],
    ],
  })
  expect(await rowsOf()).toEqual([
    [1, 'so: \x1b[0;1m********\x1b[0m'],
    [2, '**s'],
  ])
  give({ type: 'frame', ...frame, rows: [[2, 'net']] })
  expect(await rowsOf()).toEqual([
    [1, 'so: \x1b[0;1mblue\x1b[0m hor'],
    [2, 'net'],
  ])
  give({ type: 'frame', ...frame, title: 'blue horse' })
  expect((await stream.next()).value).toMatchObject({ title: '[masked: secret]', rows: [] })
  await stream.return(undefined)
})

test('a masked row keeps its hyperlinks, so that no link continues behind the mask', async () => {
  const { stream, give } = followed()
  const begin = '\x1b]8;;https://x.example/\x07'
  const end = '\x1b]8;;\x07'
  give({ type: 'frame', ...frame, isWhole: true, rows: [[0, `a ${begin}blue ho${end}rse b`]] })
  const { value } = await stream.next()
  expect(value).toMatchObject({ rows: [[0, `a ${begin}**********${end} b`]] })
  await stream.return(undefined)
})
