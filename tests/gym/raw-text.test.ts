/** Observations as text: the output, and the statement of omissions. */

import { type Env, makeEnv } from 'agentpty/gym'
import { afterAll, beforeAll, expect, test } from 'vitest'

let env: Env

beforeAll(async () => {
  env = await makeEnv({ text: 'raw' })
  await env.reset()
})

afterAll(() => env.close())

/** The shell's prompt follows each output. */
const withoutPrompt = (observation: string) => observation.replace(/[^\n]*[#$] $/, '')

test.each([
  ['tabs', String.raw`printf 'a\tb\tc\n'`, 'a\tb\tc\n'],
  ['blanks at the end of lines', String.raw`printf 'x   \ny \n'`, 'x   \ny \n'],
  ['line ends before and after', String.raw`printf '\n\nx\n\n\n'`, '\n\nx\n\n\n'],
  ['no colours', String.raw`printf '\e[31mred\e[0m\n'`, 'red\n'],
])('raw text retains the exact output: %s', async (_what, command, printed) => {
  expect(withoutPrompt((await env.step(command)).observation)).toBe(printed)
})

test('raw text of a program without marks has no echo of its line', async () => {
  await env.step('cat')
  expect((await env.step('a\tb ')).observation).toBe('a\tb \n')
  await env.step({ type: 'keys', keys: ['ctrl+d'] })
})

test('omissions of an observation are counted', async () => {
  const raw = await env.step('seq 1 200000')
  expect(raw.info.omittedBytes).toBe(raw.info.cursor.to - raw.info.cursor.from - 256 * 1_024)
  expect((await env.step('echo short')).info.omittedBytes).toBeUndefined()
  await using rendered = await makeEnv()
  await rendered.reset()
  const { observation, info } = await rendered.step('seq 1 200000')
  expect(info.omittedBytes).toBeGreaterThan(1_000_000)
  expect(observation).toContain('bytes omitted')
  expect((await rendered.step('echo "[... 5 bytes omitted"')).info.omittedBytes).toBeUndefined()
})

test('bytes of a step that are not UTF-8 are counted', async () => {
  const { observation, info } = await env.step(String.raw`printf 'caf\351 \303\251\n'`)
  expect([withoutPrompt(observation), info.invalidBytes]).toEqual(['caf\ufffd é\n', 1])
  expect((await env.step('echo é')).info).not.toHaveProperty('invalidBytes')
})

test('closing an environment twice, by hand and at the end of its block, is not an error', async () => {
  await using one = await makeEnv()
  await one.reset()
  await one.close()
})
