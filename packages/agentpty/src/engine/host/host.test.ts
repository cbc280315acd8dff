import assert from 'node:assert/strict'
import { test } from 'vitest'
import { configDefaults } from '../../contracts/home/config.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { FakePtyHost } from '../../testing/fake-pty-host.ts'
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
      parent: null,
      lineageKey: 'key-1',
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
