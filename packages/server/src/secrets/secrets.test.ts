import { maskShapes, secretsMax } from '@agentpty/protocol/secrets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from './secrets.ts'

const letters = (count: number) =>
  'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5kL7nP9rS1tU3wX5zA7cE9gI1kM3oQ5'.repeat(5).slice(0, count)

test.each<[string, string, string]>([
  ['a key of AWS', 'id AKIAIOSFODNN7EXAMPLE.', 'id [masked: AWS key].'],
  ['its secret', `aws_secret_access_key = ${letters(40)}`, 'aws_secret_access_key = [masked: AWS secret]'],
  ['a token of GitHub', `ghp_${letters(36)}`, '[masked: GitHub token]'],
  ['a fine one', `github_pat_${letters(60)}`, '[masked: GitHub token]'],
  ['a token of GitLab', `glpat-${letters(20)}`, '[masked: GitLab token]'],
  ['a token of Slack', `xoxb-123456789012-${letters(24)}`, '[masked: Slack token]'],
  ['a key of Anthropic', `sk-ant-api03-${letters(90)}`, '[masked: Anthropic key]'],
  ['a key of OpenAI', `sk-proj-${letters(48)}`, '[masked: OpenAI key]'],
  ['a key of Google', `AIza${letters(35)}`, '[masked: Google key]'],
  ['a key of Stripe', `sk_live_${letters(24)}`, '[masked: Stripe key]'],
  ['a token of npm', `//host/:_authToken=npm_${letters(36)}`, '//host/:_authToken=[masked: npm token]'],
  ['a web token', `Bearer eyJ${letters(20)}.eyJ${letters(40)}.${letters(43)}`, 'Bearer [masked: web token]'],
  [
    'a password in an address',
    'postgres://app:hunter22@db.example/x',
    'postgres://app:[masked: password]@db.example/x',
  ],
  [
    'a private key',
    `a\n-----BEGIN OPENSSH PRIVATE KEY-----\n${letters(70)}\n-----END OPENSSH PRIVATE KEY-----\nb`,
    'a\n[masked: private key]\nb',
  ],
  ['the begin of one', `-----BEGIN RSA PRIVATE KEY-----\n${letters(70)}`, '[masked: private key]'],
])('masked by its shape: %s', (_what, text, masked) => {
  expect(maskShapes(text)).toBe(masked)
})

test.each([
  'https://example.com:8080/a@b',
  'postgres://app:$PASSWORD@db.example',
  'postgres://app:***@db.example',
  'sk-learn-contrib-something-or-other',
  'the ssh-keygen task-force of AKIA',
  '-----BEGIN CERTIFICATE-----',
  'commit 4d3f2a1b0c9e8d7f6a5b4c3d2e1f0a9b8c7d6e5f',
  'npm_config_registry=x npm_lifecycle_event_of_something_long_enough_to_be_one',
])('left as it is: %s', (text) => {
  expect(maskShapes(text)).toBe(text)
})

test('values of variables that are named like secrets are masked wherever they stand, also over the rows of a screen', () => {
  const secrets = new Secrets((name) => name === 'DEPLOY_CODE')
  secrets.learn({
    API_TOKEN: 'abc123-token(x)',
    DEPLOY_CODE: 'blue horse',
    SSH_KEY: '/home/me/.ssh/id',
    CACHE_KEY: 'main',
    HOME: '/home/me',
  })
  const output = { output: 'abc123-\ntoken(x) blue horse /home/me/.ssh/id main', rows: [['blue horse', 3]], count: 3 }
  expect(secrets.masked(output)).toEqual({
    output: '[masked: secret] [masked: secret] /home/me/.ssh/id main',
    rows: [['[masked: secret]', 3]],
    count: 3,
  })
})

test('what holds no secret is the very same object', () => {
  const secrets = new Secrets()
  secrets.add('hunter22')
  const output = { output: 'plain', bytes: new Uint8Array(3), inner: [{ a: null, b: undefined }] }
  expect(secrets.masked(output)).toBe(output)
})

test('no value that was added is left anywhere, whatever is around it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 6, maxLength: 30 }), { maxLength: 5 }),
      fc.string(),
      (values, around) => {
        const secrets = new Secrets()
        for (const value of values) secrets.add(value)
        const masked = secrets.masked({ text: values.map((value) => `${around}${value}`).join(around) })
        for (const value of values)
          expect(masked.text.replaceAll(/\[masked: [\w ]+\]/g, '\0').includes(value)).toBe(false)
      },
    ),
  )
})

const gitHub = `ghp_${letters(36)}`
const colours = ['\x1b[1m', '\x1b[', '\x1b]0;', '\x07', '\r\n', ' ', 'x']
const beginnings = [
  'ghp_',
  'bl',
  'blue\nho',
  'sk-',
  '-----BEGIN ',
  'BEGIN PRIVATE KEY-----',
  'postgres://app:hunter22@db',
]
const ends = fc.array(fc.constantFrom(gitHub, gitHub.slice(0, 9), gitHub.slice(9), ...colours, ...beginnings))

test('how long the coloured lines before it are changes nothing of where a text is open', () => {
  const secrets = new Secrets()
  secrets.add('blue horse')
  fc.assert(
    fc.property(ends, fc.nat(30), (end, count) => {
      const before = '\x1b[32madded\x1b[0m 1 file\r\n'.repeat(count)
      const text = end.join('')
      expect(secrets.openFrom(before + text)).toBe(before.length + secrets.openFrom(text))
    }),
    { numRuns: 3_000 },
  )
})

test('they are bounded, and a word that is short is none', () => {
  const secrets = new Secrets()
  for (let number = 0; number < secretsMax + 5; number++) secrets.add(`secret-${number}.`)
  secrets.add('yes')
  expect(secrets.masked('secret-0. secret-4. secret-5. yes')).toBe('secret-0. secret-4. [masked: secret] yes')
})

test('a text made to be slow is searched in time that grows with it', () => {
  const hostile = `${'://a:'.repeat(20_000)} ${'eyJ'.repeat(20_000)} ${'-----BEGIN PRIVATE KEY-----'.repeat(2_000)}`
  expect(new Secrets().masked(hostile).length).toBeGreaterThan(0)
})
