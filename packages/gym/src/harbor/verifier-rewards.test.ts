import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { folderWith, removeFolders } from '../folder-fixture.ts'
import {
  readVerifierRewards,
  removeRewards,
  type VerifierError,
  verifierErrors,
  verifierRewards,
} from './verifier-rewards.ts'

afterAll(removeFolders)

const bytes = (text: string | null) => (text === null ? null : Buffer.from(text))
const verdict = (json: string | null, text: string | null) => verifierRewards({ json: bytes(json), text: bytes(text) })

describe('a verifier rewards with', () => {
  test.each<[string, string | null, string | null, object]>([
    ['a number in reward.txt', null, '0.5\n', { reward: 0.5 }],
    ['a whole number', null, '1', { reward: 1 }],
    ['a number with an exponent', null, ' -1e-3 ', { reward: -0.001 }],
    ['a map in reward.json', '{"reward": 1, "speed": 0.25}', null, { reward: 1, speed: 0.25 }],
    ['a bare number in reward.json', '0.75', null, { reward: 0.75 }],
    ['reward.json, where both are there', '{"a": 1}', '0', { a: 1 }],
  ])('%s', (_name, json, text, rewards) => expect(verdict(json, text)).toEqual({ outcome: 'rewarded', rewards }))
})

describe('a verifier fails with', () => {
  const long = ' '.repeat(1_024 * 1_024 + 1)
  test.each<[string, string | null, string | null, VerifierError]>([
    ['no file', null, null, 'RewardFileNotFoundError'],
    ['an empty reward.txt', null, ' \n', 'RewardFileEmptyError'],
    ['an empty reward.json beside a good reward.txt', '', '1', 'RewardFileEmptyError'],
    ['a word', null, 'pass', 'VerifierOutputParseError'],
    ['two numbers', null, '1 0', 'VerifierOutputParseError'],
    ['a hexadecimal number', null, '0x1', 'VerifierOutputParseError'],
    ['infinity', null, 'inf', 'VerifierOutputParseError'],
    ['no number', null, 'nan', 'VerifierOutputParseError'],
    ['a number that is too large', null, '1e999', 'VerifierOutputParseError'],
    ['a file that is too long', null, long, 'VerifierOutputParseError'],
    ['JSON that is too long', long, null, 'VerifierOutputParseError'],
    ['broken JSON', '{', null, 'VerifierOutputParseError'],
    ['a map in a map', '{"a": {"b": 1}}', null, 'VerifierOutputParseError'],
    ['a reward that is a text', '{"a": "1"}', null, 'VerifierOutputParseError'],
    ['a reward that is null', '{"a": null}', null, 'VerifierOutputParseError'],
    ['a reward that is true', '{"a": true}', null, 'VerifierOutputParseError'],
    ['an infinite reward', '{"a": 1e999}', null, 'VerifierOutputParseError'],
    ['an infinite bare number', '1e999', null, 'VerifierOutputParseError'],
    ['a list', '[1]', null, 'VerifierOutputParseError'],
    ['an empty map', '{}', null, 'VerifierOutputParseError'],
    ['a map of prototypes', '{"__proto__": 1}', null, 'VerifierOutputParseError'],
  ])('%s', (_name, json, text, error) => expect(verdict(json, text)).toMatchObject({ outcome: 'failed', error }))
})

test('its folder is read, and files planted there before are removed', () => {
  const folder = folderWith({ 'reward.txt': '1', 'reward.json': '{"a": 2}', 'test-stdout.txt': '' })
  expect(readVerifierRewards(folder)).toEqual({ outcome: 'rewarded', rewards: { a: 2 } })
  removeRewards(folder)
  expect(readVerifierRewards(folder)).toMatchObject({ error: 'RewardFileNotFoundError' })
  expect(existsSync(join(folder, 'test-stdout.txt'))).toBe(true)
})

test('a link, a folder and a file that is too long are no rewards', () => {
  const folder = folderWith({})
  writeFileSync(join(folder, '../elsewhere'), '1')
  symlinkSync('../elsewhere', join(folder, 'reward.txt'))
  expect(readVerifierRewards(folder)).toMatchObject({ error: 'VerifierOutputParseError' })
  removeRewards(folder)
  mkdirSync(join(folder, 'reward.txt'))
  expect(readVerifierRewards(folder)).toMatchObject({ error: 'VerifierOutputParseError' })
  removeRewards(folder)
  writeFileSync(join(folder, 'reward.txt'), ' '.repeat(2 * 1_024 * 1_024))
  expect(readVerifierRewards(folder)).toMatchObject({ error: 'VerifierOutputParseError' })
})

test('all names of errors are Harbor’s', () => {
  expect(verifierErrors).toHaveLength(6)
})
