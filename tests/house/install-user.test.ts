/** `npm run install:user` in a home of its own: the command works outside the checkout, and goes away without a trace. */

import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

const home = scratchFolder()
const folder = join(home, '.local', 'bin')
const command = join(folder, 'agentpty')
const environment = { HOME: home, PATH: `${folder}:${process.env['PATH']}`, SHELL: '/bin/bash' }

const script = (...args: readonly string[]) =>
  run('node', ['--import', 'tsx', 'scripts/install-user.ts', ...args], environment)

test('the command is installed, works outside the checkout, is updated, and is removed again', {
  timeout: 180_000,
}, async () => {
  expect(await script()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`is installed: ${command}\n\nNext: agentpty init`),
  })
  const outside = { ...environment, AGENTPTY_HOME: join(home, 'instance') }
  expect(await run(command, ['run', 'echo $((6 * 7))'], outside, { cwd: home })).toMatchObject({
    code: 0,
    stdout: '42\n',
  })
  expect(await run('agentpty', ['init', '--client', 'codex'], outside)).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining('packages/agentpty'),
  })
  expect(await run(command, ['stop', '--all'], outside)).toMatchObject({ code: 0 })
  expect(await script()).toMatchObject({ code: 0 })
  expect(await script('--undo')).toMatchObject({ code: 0, stdout: expect.stringContaining(`Removed ${command}`) })
  expect([existsSync(command), readdirSync(join(home, '.local', 'share', 'agentpty'))]).toEqual([false, []])
  expect(await script('--undo')).toMatchObject({ code: 0, stdout: 'agentpty is not installed for this user.\n' })
})

test('a command of the same name that it did not install is not replaced', async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(command, '#!/bin/sh\n', { mode: 0o755 })
  const refused = await script()
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('exists and was not made by this script') })
  await script('--undo')
  expect(lstatSync(command).isFile()).toBe(true)
})

test('a folder outside PATH is named with the line that adds it', async () => {
  const { stdout } = await run('node', ['--import', 'tsx', 'scripts/install-user.ts'], {
    HOME: join(home, 'other'),
    PATH: process.env['PATH'] ?? '',
    SHELL: '/usr/bin/fish',
  })
  expect(stdout).toContain(`fish_add_path ${join(home, 'other', '.local', 'bin')}`)
})
