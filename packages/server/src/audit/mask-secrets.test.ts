import { expect, test } from 'vitest'
import { maskSecrets } from './audit-writer.ts'

test.each([
  ['a plain command stays', 'git commit -m "fix the token parser"', 'git commit -m "fix the token parser"'],
  ['a key of a known shape', 'aws configure AKIAIOSFODNN7EXAMPLE', 'aws configure [masked: AWS key]'],
  ['a token in an address', 'git clone https://me:abc123@host/x', 'git clone https://me:[masked: password]@host/x'],
  ['a header', 'curl -H "Authorization: Bearer abcdefghijk" x', 'curl -H "Authorization: Bearer [masked]" x'],
  [
    'a variable whose name says so',
    'API_KEY=abc GITHUB_TOKEN="a b" make',
    'API_KEY=[masked] GITHUB_TOKEN=[masked] make',
  ],
  ['a flag whose name says so', 'mysql --password hunter2 -u me', 'mysql --password [masked] -u me'],
  ['a field of JSON', '{"client_secret": "abc", "name": "x"}', '{"client_secret": [masked], "name": "x"}'],
  ['a private key that was cut off', 'echo -----BEGIN RSA PRIVATE KEY-----\nMIIE', 'echo [masked: private key]'],
])('%s', (_name, text, want) => {
  expect(maskSecrets(text)).toBe(want)
})

test('a value whose quotes do not end is masked to the end', () => {
  expect(maskSecrets(`token="${'a b '.repeat(10_000)}`)).toBe('token=[masked]')
})
