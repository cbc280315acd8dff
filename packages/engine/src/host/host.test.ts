import assert from 'node:assert/strict'
import { type TreeLimits, treeLimitsDefault } from '@agentpty/protocol/agents'
import { configDefaults } from '@agentpty/protocol/home'
import { FakeClock, FakePtyHost } from '@agentpty/protocol/testing'
import { test } from 'vitest'
import type { Session } from '../session/session.ts'
import { Host } from './host.ts'

const hourMs = 3_600_000
const settled = () => new Promise(setImmediate)

test.each([-30, 30])(
  'a time of day that is set by %i hours keeps an ended session no longer and no shorter',
  async (hours) => {
    const clock = new FakeClock()
    const ptys = new FakePtyHost(clock)
    let lastId = 0
    const host = new Host({ clock, pty: ptys.connect(), version: '1', nextId: () => ++lastId, config: configDefaults })
    const opening = host.open({
      name: null,
      argv: ['true'],
      shell: null,
      cwd: '/',
      createdBy: 'test',
      mcpClient: null,
      parent: null,
      lineageKey: 'key-1',
      above: null,
      limits: null,
      scope: null,
      enclosed: null,
      cols: 80,
      rows: 24,
      env: () => ({}),
    })
    await settled()
    clock.advance(1)
    const { info } = await opening
    ptys.ptys.get(1)?.exits({ code: 0, signal: null })
    await settled()
    clock.advance(1)
    clock.jumpWall(hours * hourMs)
    clock.advance(configDefaults.exitedKeptMs - 60_000)
    assert.equal(host.find(info.id).exit?.code, 0)
    clock.jumpWall(-2 * hours * hourMs)
    clock.advance(180_000)
    assert.deepEqual(host.sessions, [])
    host.dispose()
  },
)

test('a terminal whose time is over is closed with those below it, and a caller that asks for it gets the reason', async () => {
  const clock = new FakeClock()
  const ptys = new FakePtyHost(clock)
  let lastId = 0
  const host = new Host({ clock, pty: ptys.connect(), version: '1', nextId: () => ++lastId, config: configDefaults })
  const open = async (above: Session | null, limits: TreeLimits | null) => {
    const place = { parent: above?.info.id ?? null, above: above?.info ?? null, limits }
    const how = {
      name: null,
      argv: ['cat'],
      shell: null,
      cwd: '/',
      createdBy: 'test',
      mcpClient: null,
      lineageKey: 'key',
      scope: null,
    }
    const opening = host.open({ ...how, ...place, enclosed: null, cols: 80, rows: 24, env: () => ({}) })
    await settled()
    clock.advance(1)
    return opening
  }
  const outer = await open(null, null)
  const bounded = await open(outer, { wallMinutes: 30 })
  clock.advance(60_000)
  await open(bounded, null)
  clock.advance(28.9 * 60_000)
  assert.deepEqual(ids(host), ['term-1', 'term-2', 'term-3'])
  clock.advance(60_000)
  await settled()
  assert.deepEqual(ids(host), ['term-1'])
  assert.throws(() => host.find('term-2'), /"term-2": it was closed after 30 min, when its time was over/)
})

test('what was started within the last minute counts for the next daemon, too', async () => {
  const clock = new FakeClock()
  const ptys = new FakePtyHost(clock)
  let lastId = 0
  const limits = { ...treeLimitsDefault, startsPerMinute: 3 }
  const begin = async () => {
    const given = { clock, pty: ptys.connect(), version: '1', nextId: () => ++lastId, config: configDefaults }
    const host = new Host({ ...given, treeLimits: () => limits })
    await host.restore()
    return host
  }
  const open = (host: Host, above: Session | null) => {
    const place = { parent: above?.info.id ?? null, above: above?.info ?? null, limits: null }
    const how = {
      name: null,
      argv: ['cat'],
      shell: null,
      cwd: '/',
      createdBy: 'test',
      mcpClient: null,
      lineageKey: 'key',
      scope: null,
    }
    return host.open({ ...how, ...place, enclosed: null, cols: 80, rows: 24, env: () => ({}) })
  }
  const first = await begin()
  const outer = await open(first, null)
  await open(first, outer)
  clock.advance(40_000)
  await open(first, outer)
  await open(first, outer)
  clock.advance(10_000)
  first.dispose()
  const next = await begin()
  const found = next.find('term-1')
  await assert.rejects(open(next, found), { code: 'limit_reached', hint: 'Wait 10 s, or do it yourself.' })
  clock.advance(10_000)
  await open(next, found)
  await assert.rejects(open(next, found), { code: 'limit_reached', hint: 'Wait 40 s, or do it yourself.' })
})

const ids = (host: Host) => host.sessions.map(({ info }) => info.id)
