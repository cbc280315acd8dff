import { openFakeSession, Replica } from '@agentpty/engine/testing'
import {
  followBehindBytesMax,
  followersUnrationedMax,
  lateSnapshotMs,
  type SessionEvent,
} from '@agentpty/protocol/session'
import { expect, test } from 'vitest'
import { Secrets } from './secrets.ts'

const size = { cols: 20, rows: 5 }
const fromScreen = { output: { from: 'screen' } } as const

/** Reads events on demand and plays each. */
function following(opened: ReturnType<typeof openFakeSession>, options = {}) {
  const events = opened.session.followers.follow({ ...fromScreen, ...options })
  const replica = new Replica({ ...size, scrollbackRows: 1_000 })
  const seen: SessionEvent[] = []
  const next = async () => {
    const { value } = await events.next()
    if (value === undefined) throw new Error('it is over')
    seen.push(value)
    replica.take(value)
    return value
  }
  return { replica, seen, next, end: () => events.return(undefined) }
}

/** The time that a reader who is late has to wait goes by while it waits. */
async function asTimeGoesBy<Result>(clock: { advance(ms: number): void }, coming: Promise<Result>): Promise<Result> {
  let isOver = false
  const result = coming.finally(() => {
    isOver = true
  })
  while (!isOver) {
    clock.advance(lateSnapshotMs / 10)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return result
}

function reference(text: string): unknown {
  const replica = new Replica({ ...size, scrollbackRows: 1_000 })
  replica.feed(Buffer.from(text))
  return replica.state()
}

test('first comes what the terminal is, then every byte from there on', async () => {
  const opened = openFakeSession({ size })
  opened.pty.prints('\x1b[1;31mred\x1b[m and plain\r\n$ ')
  const { replica, seen, next, end } = following(opened)
  await next()
  expect(seen[0]).toMatchObject({ type: 'snapshot', at: 27, size, isLate: false })
  opened.pty.prints('ls\r\n')
  await next()
  expect(seen[1]).toMatchObject({ type: 'output', offset: 27, next: 31, missedBytes: 0 })
  expect(replica.state()).toEqual(reference('\x1b[1;31mred\x1b[m and plain\r\n$ ls\r\n'))
  await end()
})

test('a sequence and a character that the snapshot cuts go on with the bytes after it', async () => {
  const opened = openFakeSession({ size })
  const [e, acute] = Buffer.from('é')
  opened.pty.prints(Buffer.concat([Buffer.from('\x1b[3'), Buffer.from('')]))
  const cut = following(opened)
  await cut.next()
  opened.pty.prints(Buffer.concat([Buffer.from('2mgreen'), Buffer.from([e ?? 0])]))
  await cut.next()
  const inCharacter = following(opened)
  await inCharacter.next()
  opened.pty.prints(Buffer.from([acute ?? 0]))
  await cut.next()
  await inCharacter.next()
  for (const { replica, end } of [cut, inCharacter]) {
    expect(replica.state()).toEqual(reference('\x1b[32mgreené'))
    await end()
  }
})

test('a change of size comes between the bytes where it was', async () => {
  const opened = openFakeSession({ size })
  const { replica, seen, next, end } = following(opened)
  await next()
  opened.pty.prints('before')
  await opened.session.resize({ cols: 10, rows: 3 })
  opened.pty.prints('after')
  for (let events = 0; events < 3; events += 1) await next()
  expect(seen.slice(1).map(({ type }) => type)).toEqual(['output', 'resized', 'output'])
  expect(seen[2]).toEqual({ type: 'resized', at: 6, size: { cols: 10, rows: 3 } })
  expect(replica.text).toBe('beforeafte\nr')
  await end()
})

test('a follower that is too far behind gets a snapshot in the place of the bytes', async () => {
  const opened = openFakeSession({ size })
  const { replica, seen, next, end } = following(opened)
  await next()
  for (let bytes = 0; bytes <= followBehindBytesMax; bytes += 10_000) opened.pty.prints(`${'x'.repeat(9_998)}\r\n`)
  opened.pty.prints('the end')
  await opened.session.screen()
  // On a slow machine the snapshot is made before all is drawn, and the rest follows it.
  do await asTimeGoesBy(opened.clock, next())
  while (!replica.text.includes('the end'))
  expect(seen[1]).toMatchObject({ type: 'snapshot', isLate: true })
  await end()
})

test('bytes that the log has given up are no loss', async () => {
  const opened = openFakeSession({ size, info: { logBytes: 100_000 } })
  const { replica, seen, next, end } = following(opened)
  await next()
  for (let lines = 0; lines < 20; lines += 1) opened.pty.prints(`${'y'.repeat(9_998)}\r\n`)
  opened.pty.prints('the end')
  await opened.session.screen()
  do await asTimeGoesBy(opened.clock, next())
  while (!replica.text.includes('the end'))
  expect(seen[1]).toMatchObject({ type: 'snapshot', isLate: true })
  await end()
})

test('callers that ask while a snapshot is being made get the same one', async () => {
  const opened = openFakeSession({ size })
  opened.pty.prints('hello')
  const one = following(opened)
  const other = following(opened)
  const [first, second] = await Promise.all([one.next(), other.next()])
  expect(second).toEqual(first)
  await Promise.all([one.end(), other.end()])
})

test('the end comes after the last byte, also where that is no whole character', async () => {
  const opened = openFakeSession({ size })
  const { seen, next } = following(opened)
  await next()
  opened.pty.prints(Buffer.from([0x61, 0xc3]))
  opened.pty.exits({ code: 0, signal: null })
  while ((await next()).type !== 'exit');
  const bytes = seen.flatMap((event) => (event.type === 'output' ? [...event.bytes] : []))
  expect(bytes).toEqual([0x61, 0xc3])
})

test('secrets are hidden in a snapshot cell by cell, in rows, scrollback and title', async () => {
  const opened = openFakeSession({ size })
  const secrets = new Secrets()
  secrets.add('blue horse 77')
  opened.pty.prints(
    '\x1b]2;blue horse 77\x07is blue horse 77\r\n1\r\n2\r\n3\r\nit \x1b[31mblue \x1b[32mhorse\x1b[m 77!\r\nsome blue horse 77 wraps\r\n$ ',
  )
  const { replica, seen, next, end } = following(opened, { hides: secrets })
  await next()
  const [snapshot] = seen
  const text = snapshot?.type === 'snapshot' ? snapshot.text : ''
  for (const word of ['blue', 'horse', '77']) expect(text).not.toContain(word)
  expect(replica.text).toBe('2\n3\nit *************!\nsome ************* w\nraps\n$'.split('\n').slice(-5).join('\n'))
  await end()
})

test('what may become a secret is waited for, and shown when nothing follows', async () => {
  const opened = openFakeSession({ size })
  const secrets = new Secrets()
  secrets.add('blue horse 77')
  opened.pty.prints('it is blue hor')
  const { replica, next, end } = following(opened, { hides: secrets })
  await asTimeGoesBy(opened.clock, next())
  expect(replica.text).toBe('it is blue hor')
  const other = following(opened, { hides: secrets })
  const coming = other.next()
  await new Promise((resolve) => setImmediate(resolve))
  opened.pty.prints('se 77.')
  await asTimeGoesBy(opened.clock, coming)
  expect(other.replica.text).toBe('it is *************.')
  await Promise.all([end(), other.end()])
})

test('few get every byte of a flood, and a crowd shares what it is sent', async () => {
  const line = `${'x'.repeat(1_022)}\r\n`
  const flood = async (followers: number) => {
    const opened = openFakeSession({ size, info: { logBytes: 8_000_000 } })
    const all = Array.from({ length: followers }, () => following(opened))
    for (const { next } of all) await next()
    for (let sent = 0; sent < 3 * 1_024; sent += 64) {
      opened.pty.prints(line.repeat(64))
      await opened.session.screen()
      for (const { next } of all) await asTimeGoesBy(opened.clock, next())
    }
    for (const { end } of all) await end()
    const late = all.filter(({ seen }) => seen.some((event) => event.type === 'snapshot' && event.isLate))
    return { late: late.length, states: new Set(all.map(({ replica }) => JSON.stringify(replica.state()))).size }
  }
  expect(await flood(followersUnrationedMax)).toEqual({ late: 0, states: 1 })
  expect((await flood(followersUnrationedMax + 4)).late).toBeGreaterThan(0)
})
