import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { heldBy } from './judge-start.ts'

function walls(writable: readonly string[]) {
  const limits = { memoryBytes: null, processes: 10, cpuSeconds: null, fileBytes: 0 }
  return heldBy({
    network: 'off',
    writable: [...writable],
    readOnly: [],
    hidden: [],
    limits,
    proxyFolder: null,
    taskFolder: null,
  })
}

test('what can only be read is held; what can be written, what holds it, and what is the sandbox’s own are not', () => {
  const isHeld = walls(['/srv/app'])
  expect(['/usr/lib/x', '/home/dev/.bashrc', '/srv/other'].filter((path) => !isHeld(path))).toEqual([])
  expect(['/srv/app', '/srv/app/src/x', '/srv', '/', '/tmp/x', '/dev/shm/x'].filter(isHeld)).toEqual([])
})

test('a link from outside into what can be written is followed', () => {
  const folder = realpathSync(mkdtempSync(join(process.cwd(), 'build-walls-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'app'))
  symlinkSync(join(folder, 'app'), join(folder, 'link'))
  const isHeld = walls([join(folder, 'app')])
  expect([isHeld(join(folder, 'link')), isHeld(join(folder, 'link/not/there'))]).toEqual([false, false])
})
