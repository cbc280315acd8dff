import { openFakeSession } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { Secrets } from '../../secrets/secrets.ts'
import { findLines } from './find-lines.ts'
import { maskBytes } from './mask-lines.ts'
import { readText } from './read-text.ts'

const token = `ghp_${'aB3dE5gH7j'.repeat(3)}aB3dE5`
const keyLine = `${'aB3dE5gH7j'.repeat(6)}aB3d`
const key = ['-----BEGIN PRIVATE KEY-----', keyLine, keyLine, 'aB3=', '-----END PRIVATE KEY-----'].join('\r\n')
const mask = '[masked: GitHub token]'
const keyMask = '[masked: private key]'

function printed(output: string) {
  const { pty, session } = openFakeSession()
  const secrets = new Secrets()
  secrets.add('blue horse')
  pty.prints(output)
  const read = async (since: number, until = session.parsedTo) =>
    (await readText(session, { since, until }, { maxBytes: 1_000, secrets })).output
  return { session, secrets, read }
}

test.each<[string, string, number, readonly [string, string]]>([
  ['a token', `a ${token} z\r\n`, 10, [`a ${mask}`, `${mask} z`]],
  ['a token in colour', `a \x1b[31m${token}\x1b[0m z\r\n`, 15, [`a ${mask}`, `${mask} z`]],
  ['a value at its blank', 'a blue horse z\r\n', 7, ['a [masked: secret]', '[masked: secret] z']],
  ['a private key', `a\r\n${key}\r\nz\r\n`, 60, [`a\n${keyMask}`, `${keyMask}\nz`]],
  ['a private key at the end of a line', `a\r\n${key}\r\nz\r\n`, 96, [`a\n${keyMask}`, `${keyMask}\nz`]],
  ['nothing that is secret', 'ghp_ is no token\r\n', 3, ['ghp', '_ is no token']],
])('%s that two reads cut is masked in both', async (_what, output, cut, want) => {
  const { read } = printed(output)
  expect([await read(0, cut), await read(cut)]).toEqual(want)
})

test('wherever reads cut a token, no half of it is shown', async () => {
  const { read } = printed(`begin ${token} end\r\n`)
  for (let cut = 7; cut < 6 + token.length; cut++)
    expect([await read(0, cut), await read(cut)]).toEqual([`begin ${mask}`, `${mask} end`])
})

test('both ends of a slice inside one secret leave its mask', async () => {
  const { read } = printed(`begin ${token} end\r\n`)
  expect(await read(12, 20)).toBe(mask)
})

test('raw bytes are masked at both cuts, and all offsets are those of the log', () => {
  const { session, secrets } = printed(`begin ${token} end\r\n`)
  const raw = (since: number, until: number) => Buffer.from(maskBytes({ session, since, until }, secrets)).toString()
  expect([raw(0, 20), raw(20, session.parsedTo)]).toEqual([`begin ${mask}`, `${mask} end\r\n`])
})

test('a secret in a line that is cut to fit is masked before', async () => {
  const { read, session, secrets } = printed(`${'x'.repeat(480)} ${token} ${'y'.repeat(2_000)}\r\n`)
  expect(await read(0)).not.toContain('ghp')
  const options = {
    since: 0,
    until: session.parsedTo,
    sought: { pattern: 'xxx' },
    contextLines: 0,
    maxBytes: 5_000,
    secrets,
  }
  expect((await findLines(session, options)).output).toBe(`0: ${'x'.repeat(480)} [masked: GitHub tok`)
})

test('a search finds in a secret nothing, and its lines keep their offsets', async () => {
  const { session, secrets } = printed(`${key}\r\nkey aB3dE5gH7j\r\n`)
  const options = {
    since: 0,
    until: session.parsedTo,
    sought: { pattern: 'aB3' },
    contextLines: 1,
    maxBytes: 5_000,
    secrets,
  }
  const { output, matches } = await findLines(session, options)
  expect([output, matches]).toEqual([`0: ${keyMask}\n${key.length + 2}: key aB3dE5gH7j`, 1])
})
