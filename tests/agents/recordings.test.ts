/**
 * Recorded output of five real agents in all their states, played to a session. The verdict at each moment is compared with
 * the truth from the scripted model and the screen. The recordings are made by `bench/agents/main.ts --record`.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { agentTypes, type FakeSession, openFakeSession } from '@agentpty/engine/testing'
import type { Facts } from '@agentpty/protocol'
import { describe, expect, test } from 'vitest'

interface Recording {
  readonly client: string
  readonly cols: number
  readonly rows: number
  /** The actions on the agent and the events on its screen, in ms after its start. */
  readonly marks: readonly { readonly at: number; readonly what: string }[]
  /** The model's side: a request means work; a final answer or a closed connection means its end. */
  readonly server: readonly {
    readonly at: number
    readonly event: string
    readonly kind?: string
    readonly final?: boolean
  }[]
  /** The time at which this many more bytes arrived. */
  readonly timing: readonly (readonly [number, number])[]
}

type Truth = 'working' | 'idle' | 'dialog' | 'unknown'

interface Moment {
  readonly at: number
  readonly truth: Truth
}

const folder = join(import.meta.dirname, 'recordings')

/** An agent's process is in its event loop, whatever it does. */
const inEventLoop: Partial<Facts> = {
  canonical: false,
  echo: false,
  wait: 'epoll',
  otherFds: 6,
  sockets: 2,
  threads: 12,
  timeoutMs: 900,
  foreground: 100,
  waiter: 100,
  waiterThread: 100,
  name: 'agent',
}

/** The true state over time. It is unknown between the reply to its first question and its first screen. */
function truthOf({ marks, server }: Recording): readonly Moment[] {
  const started = marks.find(({ what }) => what === 'started')?.at ?? 0
  const ofMarks = marks.flatMap(({ at, what }): readonly Moment[] => {
    if (/^(?:permission|question|first question)$/.test(what)) return [{ at, truth: 'dialog' }]
    if (what === 'started') return [{ at, truth: 'idle' }]
    // Between a prompt and the first word of it at the model, the agent may or may not be working yet.
    if (what.startsWith('typed') || (at < started && what.startsWith('pressed'))) return [{ at, truth: 'unknown' }]
    return /^pressed (?:1|y|enter)$/.test(what) ? [{ at, truth: 'working' }] : []
  })
  const ofServer = server.flatMap(({ at, event, kind, final }): readonly Moment[] => {
    if (event === 'request') return kind === 'main' ? [{ at, truth: 'working' }] : []
    return event === 'client-closed' || final ? [{ at, truth: 'idle' }] : []
  })
  return [...ofMarks, ...ofServer].toSorted((a, b) => a.at - b.at)
}

function keysOf(what: string): string | null {
  const [verb = '', ...rest] = what.split(' ')
  if (verb === 'typed') return `${rest.join(' ')}\r`
  const keys = new Map([
    ['enter', '\r'],
    ['escape', '\x1b'],
    ['down', '\x1b[B'],
    ['ctrl+c', '\x03'],
    ['ctrl+u', '\x15'],
  ])
  return verb === 'pressed' ? (keys.get(rest[0] ?? '') ?? rest[0] ?? null) : null
}

/** All events, in order. */
function* happenings(recording: Recording, bytes: Buffer) {
  let offset = 0
  const outputs = recording.timing.map(([at, count]) => {
    offset += count
    return { at, output: bytes.subarray(offset - count, offset), keys: null }
  })
  const inputs = recording.marks.map(({ at, what }) => ({ at, output: null, keys: keysOf(what) }))
  yield* [...outputs, ...inputs].toSorted((a, b) => a.at - b.at)
}

const judgeEveryMs = 50
/** The longest delay of a reported state. While the agent works it must never be reported as ready. */
const lateMs = 1_500
/** Some recordings were made in tmux on a busy machine, where the agents themselves were slower. */
const lateInTmuxMs = 4_000

async function settle({ session, pty }: FakeSession): Promise<void> {
  pty.reports(inEventLoop)
  await session.screen()
  pty.reports(inEventLoop)
}

function said({ session }: FakeSession): Truth {
  const { verdict } = session.turn()
  if (verdict.state !== 'ready') return 'working'
  return verdict.needs === 'answer' ? 'dialog' : 'idle'
}

async function play(recording: Recording, bytes: Buffer, late: number): Promise<readonly string[]> {
  const fake = openFakeSession({ info: { shell: null, argv: [recording.client] }, size: recording })
  const release = fake.session.watch()
  const truths = truthOf(recording)
  const wrong: string[] = []
  const end = recording.marks.find(({ what }) => /ctrl\+[cu]$/.test(what))?.at ?? 0
  const events = [...happenings(recording, bytes)]
  for (let now = 0; now < end; now += judgeEveryMs) {
    for (const { output, keys } of take(events, now)) {
      if (output !== null) fake.pty.prints(output)
      if (keys !== null) await agentTypes(fake.session, Buffer.from(keys))
    }
    fake.clock.advance(judgeEveryMs)
    await settle(fake)
    const { at, truth } = truths.findLast((one) => one.at <= now) ?? { at: 0, truth: 'unknown' }
    const answer = said(fake)
    const isWrong = truth === 'working' ? answer === 'idle' : truth !== 'unknown' && now - at > late && answer !== truth
    if (isWrong) wrong.push(`${truth} since ${at}, said ${answer}: ${fake.session.turn().verdict.evidence[0]}`)
  }
  release()
  return [...new Set(wrong)]
}

function take<Event extends { readonly at: number }>(events: Event[], now: number): readonly Event[] {
  const count = events.findIndex(({ at }) => at > now)
  return events.splice(0, count < 0 ? events.length : count)
}

describe.each(['claude', 'codex', 'gemini', 'opencode', 'copilot'].flatMap((name) => [name, `${name}-in-tmux`]))(
  '%s',
  (client) => {
    test('is reported as idle, working or asking in each of these states', async () => {
      const recording: Recording = JSON.parse(readFileSync(join(folder, `${client}.json`), 'utf8'))
      const bytes = gunzipSync(readFileSync(join(folder, `${client}.raw.gz`)))
      const late = client.endsWith('-in-tmux') ? lateInTmuxMs : lateMs
      expect(await play(recording, bytes, late)).toEqual([])
    })
  },
)
