/** Recordings of terminals: their content, across the end of a daemon, and their retention. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCast } from '@agentpty/protocol/recording'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, isAlive, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

let instance: Instance

beforeEach(() => {
  instance = scratchInstance()
})

const fileOf = (id: string) => join(instance.home, 'recordings', `${id}.cast`)
const configure = (text: string) => writeFileSync(join(instance.home, 'config.yaml'), text)
const castOf = (id: string) => readCast(readFileSync(fileOf(id), 'utf8'), id)
const outputOf = (id: string) =>
  castOf(id)
    .events.filter(({ code }) => code === 'o')
    .map(({ data }) => data)
    .join('')
/** Empty while nothing has been written yet. */
const textOf = (id: string) => (existsSync(fileOf(id)) ? readFileSync(fileOf(id), 'utf8') : '')
const has = (id: string, text: string) => until(() => textOf(id) !== '' && outputOf(id).includes(text))
const isEnded = (id: string) => until(() => /end\n$/.test(textOf(id)))

test('a recorded terminal has its output, its commands with exit codes, sizes and the exit, in a private file', async () => {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { shell: 'bash', record: true, name: 'build' })
  await client.call('run', { terminalId, command: 'echo böse $((6*7)); false' })
  await client.call('resize', { terminalId, cols: 100, rows: 40 })
  await client.call('send', { terminalId, text: 'exit 3', waitFor: 'exit' })
  await isEnded(terminalId)
  const { events, markers, cols, title } = castOf(terminalId)
  expect([cols, title]).toEqual([120, 'build'])
  expect(outputOf(terminalId)).toContain('böse 42')
  expect(markers.map(({ label }) => label).slice(0, 2)).toEqual(['$ echo böse $((6*7)); false', 'exit code 1'])
  expect(events.filter(({ code }) => code === 'r').map(({ data }) => data)).toEqual(['100x40'])
  expect(events.at(-1)).toMatchObject({ code: 'x', data: '3' })
  expect(events.some(({ code }) => code === 'i')).toBe(false)
  expect(statSync(fileOf(terminalId)).mode & 0o777).toBe(0o600)
  expect(statSync(join(instance.home, 'recordings')).mode & 0o777).toBe(0o700)
  const { stdout } = await instance.cli('recordings', '--json')
  expect(JSON.parse(stdout).recordings).toMatchObject([{ id: terminalId, title: 'build', exitCode: 3, isEnded: true }])
  await client.close()
})

test('a killed daemon leaves no gap and no duplicates', async () => {
  const client = await instance.rpc()
  const counting = 'for i in $(seq 1 400); do echo line $i.; sleep 0.01; done; echo over; exec cat'
  const { terminalId } = await client.call('create', { command: counting, record: true, waitFor: 'none' })
  for (const line of [50, 150, 250]) {
    await has(terminalId, `line ${line}.`)
    await instance.killDaemon()
    await instance.rpc().then((next) => next.close())
  }
  await has(terminalId, 'over')
  const numbers = [...outputOf(terminalId).matchAll(/line (\d+)\.\r\n/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
  await client.close()
})

test('output without a daemon has its correct times', async () => {
  const client = await instance.rpc()
  const [go, done] = ['go', 'done'].map((name) => join(scratchFolder(), name)) as [string, string]
  const printing = `until test -e ${go}; do sleep 0.01; done; echo first; sleep 1; echo second; touch ${done}; exec cat`
  const { terminalId } = await client.call('create', { command: printing, record: true, waitFor: 'none' })
  const { pid } = (await instance.status()).daemon
  process.kill(pid, 'SIGKILL')
  await until(() => !isAlive(pid))
  writeFileSync(go, '')
  await until(() => existsSync(done))
  await instance.rpc().then((next) => next.close())
  await has(terminalId, 'second')
  // The terminal may deliver a word in two pieces.
  const { events } = castOf(terminalId)
  const outputTo = (index: number) =>
    events
      .slice(0, index + 1)
      .map(({ data }) => data)
      .join('')
  const timeOf = (text: string) => events.find((_, index) => outputTo(index).includes(text))?.at ?? Number.NaN
  // With the time of the next daemon they would have the same one.
  expect(timeOf('second') - timeOf('first')).toBeGreaterThan(0)
  await client.close()
})

test('secrets are masked, even across two pieces', async () => {
  const client = await instance.rpc()
  const head = 'ghp_'
  const rest = 'aB3dE5gH7j'.repeat(3).concat('aB3dE5')
  const printing = `printf 'token: ${head}'; sleep 0.02; printf '${rest}\\n'; exec cat`
  const { terminalId } = await client.call('create', { command: printing, record: true, waitFor: 'none' })
  await has(terminalId, '\n')
  expect(outputOf(terminalId)).toBe('token: [masked: GitHub token]\r\n')
  await client.close()
})

test('input is recorded where allowed, and never where the terminal does not echo it', async () => {
  configure('recording:\n  mode: on\n  input: true\n')
  const client = await instance.rpc()
  const asking = 'read -r name; read -rs word; echo; read -r after; echo done; exec cat'
  const { terminalId } = await client.call('create', { command: ['bash', '-c', asking] })
  await client.call('send', { terminalId, text: 'ada' })
  await client.call('send', { terminalId, text: 'hunter2hunter2' })
  await client.call('send', { terminalId, text: 'enough', waitFor: { text: 'done' } })
  await client.call('secret', { terminalId, text: 'a-secret-of-mine' })
  const typed = () =>
    castOf(terminalId)
      .events.filter(({ code }) => code === 'i')
      .map(({ data }) => data)
      .join('')
  await until(() => textOf(terminalId) !== '' && typed().includes('enough'))
  expect(typed()).toBe('ada\renough\r')
  expect(readFileSync(fileOf(terminalId), 'utf8')).not.toMatch(/hunter2|a-secret-of-mine/)
  await client.close()
})

test('onFailure retains the failed ones, and a recording ends at its maximum size', async () => {
  configure('recording:\n  mode: onFailure\n  maxBytes: 20000\n')
  const client = await instance.rpc()
  const run = async (command: string) => (await client.call('create', { command, waitFor: 'exit' })).terminalId
  const good = await run('echo fine')
  const bad = await run('echo oops; exit 4')
  const large = await run('seq 1 20000; exit 1')
  await until(() => existsSync(fileOf(bad)) && existsSync(fileOf(large)) && !existsSync(fileOf(good)))
  await isEnded(bad)
  await isEnded(large)
  expect(castOf(large).markers.at(-1)?.label).toBe('the recording ends here: it has 20000 bytes')
  await client.close()
})

test('the oldest recordings are removed first, and a removed one records no more', async () => {
  configure('recording:\n  mode: on\n  totalBytes: 4000\n')
  const client = await instance.rpc()
  const run = async (command: string) => (await client.call('create', { command, waitFor: 'exit' })).terminalId
  const first = await run('seq 1 500')
  await isEnded(first)
  const second = await run('seq 1 500')
  await until(() => !existsSync(fileOf(first)) && existsSync(fileOf(second)))
  const { terminalId } = await client.call('create', { command: 'echo here; exec cat' })
  await has(terminalId, 'here')
  expect(await instance.cli('recordings', 'rm', terminalId)).toMatchObject({ code: 0 })
  await client.call('send', { terminalId, text: 'more', waitFor: { text: 'more' } })
  await client.call('close', { terminalId })
  expect(existsSync(fileOf(terminalId))).toBe(false)
  await client.close()
})

test('retained output can be exported as a recording from any offset, with its commands', async () => {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { shell: 'bash' })
  const { cursor } = await client.call('run', { terminalId, command: 'echo one' })
  await client.call('run', { terminalId, command: 'echo two' })
  const { stdout } = await instance.cli('recording', terminalId, '--v3', '--since', String(cursor))
  const { events, markers } = readCast(stdout, 'it')
  const output = events.map(({ code, data }) => (code === 'o' ? data : '')).join('')
  assert(output.includes('two') && !output.includes('one'), output)
  expect(markers.map(({ label }) => label)).toEqual(['$ echo two', 'exit code 0'])
  await client.close()
})

test('a full disk ends only the recording, and the written part plays', async () => {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { command: ['bash', '--norc'], record: true })
  await client.call('send', { terminalId, text: 'echo before-$((1+1))' })
  await has(terminalId, 'before-2')
  const { daemon } = await instance.status()
  // The next write stops in the middle of a line.
  const limit = (bytes: number | string) =>
    execFileSync('prlimit', ['--pid', String(daemon.pid), `--fsize=${bytes}:unlimited`])
  limit(statSync(fileOf(terminalId)).size + 20)
  await client.call('send', { terminalId, text: 'seq 1 1000' })
  await until(() => readFileSync(instance.paths.log, 'utf8').includes(`${terminalId}.cast cannot be written`))
  limit('unlimited')
  expect(await client.call('send', { terminalId, text: 'echo after-$((2+2))' })).toMatchObject({
    output: expect.stringContaining('after-4'),
  })
  const { code, stdout } = await instance.cli('export', terminalId, '--to', join(instance.home, 'it.txt'))
  expect([code, stdout]).toEqual([0, expect.any(String)])
  expect(readFileSync(join(instance.home, 'it.txt'), 'utf8')).toContain('before-2')
  await client.close()
})

test('every byte of a flood is recorded, or a marker states how many are not', async () => {
  const client = await instance.rpc()
  const last = 2_000_000
  const { terminalId } = await client.call('create', {
    command: ['seq', '1', String(last)],
    record: true,
    waitFor: 'exit',
  })
  await isEnded(terminalId)
  const { markers } = castOf(terminalId)
  const missed = markers.reduce(
    (sum, { label }) => sum + Number(/(\d[\d,]*) bytes/.exec(label)?.[1]?.replaceAll(',', '') ?? 0),
    0,
  )
  const printed = Array.from({ length: last }, (_, index) => `${index + 1}\r\n`.length).reduce(
    (sum, bytes) => sum + bytes,
    0,
  )
  expect(Buffer.byteLength(outputOf(terminalId)) + missed).toBe(printed)
  await client.close()
})
