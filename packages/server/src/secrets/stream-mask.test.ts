import { secretHeldBytesMax } from '@agentpty/protocol/secrets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from './secrets.ts'
import { StreamMask } from './stream-mask.ts'

const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5kL7n'
const gitHub = `ghp_${letters.slice(0, 36)}`
const password = 'blüe horse 77'
const keyLines = `${letters}${letters.slice(0, 24)}\r\n`.repeat(3)
const key = `-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\n\r\n${keyLines}-----END RSA PRIVATE KEY-----`

const bareKey = `-----BEGIN PRIVATE KEY-----\n${letters}\n${letters}==\n-----END PRIVATE KEY-----`

const secrets = new Secrets()
secrets.add(password)

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()

/** All that has gone on before the flush, and the rest. */
function masked(pieces: readonly (string | Uint8Array)[]): readonly [passed: Buffer, rest: Buffer] {
  const mask = new StreamMask(secrets, 0)
  const passed = pieces.map((piece) => mask.push(Buffer.from(piece))?.bytes ?? nothing)
  return [Buffer.concat(passed), Buffer.from(mask.flush()?.bytes ?? nothing)]
}

const nothing = new Uint8Array(0)

test.each<[string, readonly string[], string, string]>([
  ['text without secrets goes on at once', ['plain\r\n$ '], 'plain\r\n$ ', ''],
  ['a secret in two pieces', ['it is ghp_', `${gitHub.slice(4)}\n`], 'it is [masked: GitHub token]\n', ''],
  ['a value in two pieces', ['it is bl', `${password.slice(2)}.`], 'it is [masked: secret].', ''],
  ['what only looks like the beginning of one', ['gh', 'ost'], 'ghost', ''],
  ['nothing but the possible beginning waits', ['two words, gh'], 'two words, ', 'gh'],
  ['a word that may go on waits, and is masked in the end', [`see ${gitHub}`], 'see ', '[masked: GitHub token]'],
  ['a password in an address', ['git://me:hun', 'ter22@host/x '], 'git://me:[masked: password]@host/x ', ''],
  ['an address without one', ['http://localhost:80', '80/x '], 'http://localhost:8080/x ', ''],
  ['a private key, line by line', ['a\r\n', ...key.split(/(?<=\n)/), '\r\nc'], 'a\r\n[masked: private key]\r\nc', ''],
  ['a private key as JSON', [`"${bareKey.replaceAll('\n', '\\n')}"`], '"[masked: private key]"', ''],
  [
    'colours in a secret stay, and colour what follows it',
    [`\x1b[31m${gitHub.slice(0, 9)}\x1b[0m${gitHub.slice(9)} \x1b[3`, '2mgreen'],
    '\x1b[31m[masked: GitHub token]\x1b[0m \x1b[32mgreen',
    '',
  ],
  ['a secret in a title', [`\x1b]0;${gitHub}\x07$ `], '\x1b]0;[masked: GitHub token]\x07$ ', ''],
])('%s', (_what, pieces, passed, rest) => {
  expect(masked(pieces).map(text)).toEqual([passed, rest])
})

test.each([
  'AKIAIOSFODNN7EXAMPLE',
  `aws_secret_access_key = ${letters}`,
  gitHub,
  `github_pat_${letters}`,
  `glpat-${letters.slice(0, 20)}`,
  'xoxb-123456789012-aB3dE5gH7j',
  `sk-ant-api03-${letters}${letters}`,
  `sk-proj-${letters}`,
  `AIza${letters.slice(0, 35)}`,
  `ya29.${letters}`,
  `sk_live_${letters}`,
  `npm_${letters.slice(0, 36)}`,
  `pypi-${letters}${letters}`,
  `hf_${letters}`,
  `eyJ${letters}.eyJ${letters}.${letters}`,
  'postgres://app:hunter22@db.example',
  bareKey,
  password,
])('wherever it is cut, nothing of it is left: %s', (secret) => {
  const whole = Buffer.from(`${secret} `)
  const want = text(masked([whole])[0])
  expect(want).toContain('[masked: ')
  for (let at = 0; at <= whole.length; at++)
    expect(text(masked([whole.subarray(0, at), whole.subarray(at)])[0])).toBe(want)
})

test('a command that only names private keys hides no more than its own words', () => {
  const found = 'x.ts: -----BEGIN PRIVATE KEY-----\r\nme@host:~$ '
  expect(text(masked([found])[0])).toBe('x.ts: [masked: private key]\r\nme@host:~$ ')
})

test('the rest of a secret is masked when its beginning had to go on', () => {
  const mask = new StreamMask(secrets, 0)
  mask.push(Buffer.from('ghp_aB3'))
  expect(text(mask.flush()?.bytes)).toBe('ghp_aB3')
  expect(mask.push(Buffer.from(`${gitHub.slice(7)} ends`))).toEqual({
    offset: 7,
    bytes: Buffer.from('[masked: GitHub token] ends'),
    next: 45,
  })
})

test('a secret whose mask has gone on gets no second one', () => {
  const mask = new StreamMask(secrets, 0)
  mask.push(Buffer.from(`${gitHub}`))
  expect(text(mask.flush()?.bytes)).toBe('[masked: GitHub token]')
  expect(mask.push(Buffer.from('andMore.'))).toEqual({ offset: 40, bytes: Buffer.from('.'), next: 48 })
})

test('a secret that began before the first byte is masked from there on', () => {
  const before = Buffer.from(`it is ${gitHub.slice(0, 20)}`)
  const mask = new StreamMask(secrets, 500, before)
  expect(mask.push(Buffer.from(`${gitHub.slice(20)}\n`))).toEqual({
    offset: 500,
    bytes: Buffer.from('[masked: GitHub token]\n'),
    next: 521,
  })
})

test('what is held is bounded, also of a key that never ends', () => {
  const mask = new StreamMask(secrets, 0)
  let passed = 0
  let held = 0
  mask.push(Buffer.from('-----BEGIN PRIVATE KEY-----\n'))
  for (let line = 0; line < 2_000; line++) {
    passed = mask.push(Buffer.from(`${letters}\n`))?.next ?? passed
    held = Math.max(held, mask.next - passed)
  }
  expect(held).toBeLessThanOrEqual(secretHeldBytesMax)
  expect(mask.heldFrom).toBe(null)
})

const parts = fc.constantFrom(
  ...[gitHub, password, key, 'ghp_', 'bl', '-----BEGIN ', 'postgres://app:hunter22@db', '\x1b[1m', '\x1b]0;', '\x07'],
  ...['\r\n', ' ', 'x', 'é', 'sk-', '$ ', gitHub.slice(0, 9), gitHub.slice(9), password.slice(4), '\xff'],
)

test('any pieces give the same bytes and no value is left', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), fc.array(fc.nat(30), { maxLength: 20 }), (texts, lengths) => {
      const whole = Buffer.from(texts.join(''))
      const pieces: Uint8Array[] = []
      let at = 0
      for (const length of [...lengths, whole.length]) {
        pieces.push(whole.subarray(at, at + length))
        at = Math.min(whole.length, at + length)
      }
      const inPieces = text(Buffer.concat(masked(pieces)))
      expect(inPieces).toBe(text(Buffer.concat(masked([whole]))))
      expect(inPieces).not.toContain(password)
    }),
    { numRuns: 3_000 },
  )
})

test('offsets follow each other, whatever is masked and whenever it is flushed', () => {
  const pieces = fc.array(fc.tuple(parts, fc.boolean()), { maxLength: 20 })
  fc.assert(
    fc.property(pieces, (given) => {
      const mask = new StreamMask(secrets, 7)
      let next = 7
      let fed = 7
      for (const [piece, isFlushed] of given) {
        const bytes = Buffer.from(piece)
        fed += bytes.length
        for (const one of [mask.push(bytes), isFlushed ? mask.flush() : null]) {
          if (one === null) continue
          expect(one.offset).toBe(next)
          next = one.next
        }
        expect(mask.heldFrom ?? fed).toBe(next)
      }
      expect(mask.flush()?.next ?? next).toBe(fed)
    }),
  )
})
