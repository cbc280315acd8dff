import { expect, test } from 'vitest'
import { challengeIn, isProof, proofOf } from './discovery.ts'

const asked = { challenge: 'a-challenge-of-its-own', port: 17_580 }
const proof = proofOf('the token', asked)

test('a server that knows the token proves it', () => expect(isProof(proof, 'the token', asked)).toBe(true))

test.each<[string, unknown]>([
  ['of another token', proofOf('another token', asked)],
  ['for another challenge', proofOf('the token', { ...asked, challenge: 'one that was asked before' })],
  ['of a server at another port, passed on', proofOf('the token', { ...asked, port: 40_000 })],
  ['that is none', ''],
  ['that is the token', 'the token'],
  ['that is no text', 7],
  ['that is missing', undefined],
])('a proof %s proves nothing', (_which, given) => expect(isProof(given, 'the token', asked)).toBe(false))

test.each<[string, string | null]>([
  ['/health', null],
  ['/health?challenge=', null],
  ['/health?challenge=short', null],
  ['/health?challenge=0123456789abcdef', '0123456789abcdef'],
  [`/health?challenge=${'x'.repeat(200)}`, null],
  ['/health?challenge=0123456789abcdef%0A', null],
])('%s asks for %j', (url, want) => expect(challengeIn(url)).toBe(want))
