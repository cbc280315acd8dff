import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HostOrigins, provideHostProgram } from './claim-host.ts'

let folder: string
let origins: HostOrigins
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-origins-'))
  origins = {
    named: undefined,
    packageFolder: join(folder, 'package'),
    cacheFolder: join(folder, 'cache'),
    build: '1.2.3+abc',
    platform: 'linux',
    arch: 'mips64',
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(file: string): string {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  return path
}

test('the one of the checkout goes before the prebuilt one, and that before one built here earlier', async () => {
  const built = put('cache/ptyhost-1.2.3+abc-linux-mips64')
  expect(await provideHostProgram(origins)).toBe(built)
  const prebuilt = put('package/prebuilds/linux-mips64/ptyhost')
  expect(await provideHostProgram(origins)).toBe(prebuilt)
  const fresh = put('package/dist/ptyhost')
  expect(await provideHostProgram(origins)).toBe(fresh)
})

test('one that is named goes before all, there or not: starting it says what is wrong', async () => {
  put('package/dist/ptyhost')
  expect(await provideHostProgram({ ...origins, named: '/named/ptyhost' })).toBe('/named/ptyhost')
})

test('what another version or another machine has left is not used', async () => {
  put('cache/ptyhost-1.2.2+abc-linux-mips64')
  put('package/prebuilds/linux-x64/ptyhost')
  await expect(provideHostProgram(origins)).rejects.toMatchObject({ code: 'host_missing' })
})

test('a build that fails says why, and what to install on this system', async () => {
  const failure = expect.objectContaining({
    code: 'host_missing',
    message: expect.stringMatching(/^The package has no ptyhost for linux-mips64, and building one failed: .+\.$/),
    hint: expect.stringContaining('apk add build-base'),
  })
  await expect(provideHostProgram(origins)).rejects.toEqual(failure)
  await expect(provideHostProgram({ ...origins, platform: 'darwin' })).rejects.toMatchObject({
    hint: expect.stringContaining('xcode-select --install'),
  })
})

test('a system that has no terminals of this kind gets an error immediately', async () => {
  await expect(provideHostProgram({ ...origins, platform: 'win32', arch: 'x64' })).rejects.toMatchObject({
    code: 'host_missing',
    message: 'There is no ptyhost for win32-x64.',
    hint: expect.stringContaining('WSL'),
  })
})
