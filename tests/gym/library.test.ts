/** The library's environments: a single one, and several stepped together. */

import { readdirSync } from 'node:fs'
import { type AutoresetMode, makeEnv, makeVec } from 'agentpty/gym'
import { afterEach, expect, test } from 'vitest'
import { processesWith, until } from '../harness/instance.ts'
import { serversFolder } from './servers-folder.ts'

const python = { program: ['python3', '-q'] }

/** The folder of this process's servers. */
const folder = serversFolder()

afterEach(async () => {
  await until(() => processesWith('agentpty --container-init').length === 0)
})

test('an environment is reset, stepped, inspected, judged next to its terminal, and forked', async () => {
  const env = await makeEnv(python)
  await expect(env.step('1')).rejects.toMatchObject({ code: 'invalid_input' })
  expect((await env.reset({ seed: 3 })).observation).toBe('>>>')
  expect(await env.step("open('f', 'w').write('hi')")).toMatchObject({ observation: '2\n>>>', reward: 0 })
  expect(await env.render('plain')).toContain("open('f', 'w')")
  const { stdout, exitCode } = await env.exec('cat; cat f; exit 3', { input: 'from outside\n' })
  expect({ said: Buffer.from(stdout).toString(), exitCode }).toEqual({ said: 'from outside\nhi', exitCode: 3 })
  expect((await env.exec(['sleep', '60'], { timeoutMs: 50 })).exitCode).toBeNull()
  const fork = await env.fork()
  expect(fork).toMatchObject({ replayed: 1, differsAt: null })
  expect((await fork.env.step("open('f').read()")).observation).toBe("'hi'\n>>>")
  await env.close()
  expect(readdirSync(folder)).toEqual([])
})

test.each<[AutoresetMode, string, string]>([
  ['NextStep', '', '>>>'],
  ['SameStep', '>>>', '6\n>>>'],
])('%s: an ended episode starts again', async (autoreset, shownAtEnd, shownNext) => {
  await using vec = await makeVec({ ...python, n: 2 }, { autoreset })
  expect((await vec.reset({ seed: 5 })).observations).toEqual(['>>>', '>>>'])
  const over = await vec.step(['exit(0)', '1 + 1'])
  expect(over).toMatchObject({ terminations: [true, false], observations: [shownAtEnd, '2\n>>>'] })
  const final = autoreset === 'SameStep' ? over.infos[0]?.finalInfo : over.infos[0]
  expect(final).toMatchObject({ state: 'exited', exitCode: 0 })
  const next = await vec.step(['2 * 3', '2 * 3'])
  expect(next).toMatchObject({ rewards: [0, 0], terminations: [false, false] })
  expect(next.observations).toEqual([shownNext, '6\n>>>'])
})

test('without autoreset the caller resets ended episodes', async () => {
  await using vec = await makeVec({ ...python, n: 3 }, { autoreset: 'Disabled' })
  await expect(vec.step(['1', '1', '1'])).rejects.toThrow('Reset')
  await expect(vec.reset({ mask: [true, false, false] })).rejects.toThrow('never reset')
  await vec.reset({ seed: [1, undefined, 3] })
  await expect(vec.step(['1'])).rejects.toThrow('1 actions for 3')
  vec.stepAsync(new Map([[1, 'exit(1)']]))
  expect(() => vec.stepAsync(['1', '1', '1'])).toThrow('under way')
  expect((await vec.stepWait()).terminations).toEqual([false, true, false])
  await expect(vec.stepWait()).rejects.toThrow('No step')
  await expect(vec.reset({ mask: [false, false, false] })).rejects.toThrow('at least one')
  expect((await vec.reset({ mask: [false, true, false] })).observations[1]).toBe('>>>')
  expect((await vec.step(['1', '2', '3'])).observations).toEqual(['1\n>>>', '2\n>>>', '3\n>>>'])
})

test('without a container programs have the player’s home, user and path', async () => {
  await using env = await makeEnv({ isolation: 'none', program: ['sh'], env: { OWN: 'own' } })
  await env.reset()
  const { observation } = await env.step('echo "$HOME $PATH $TZ $OWN" | tr -d "\\n"; echo')
  const { HOME, PATH } = process.env
  expect(observation.replaceAll('\n', '')).toContain(`${HOME} ${PATH} UTC own`)
})

test('without a container a folder of this machine is restored', async () => {
  await using env = await makeEnv({ isolation: 'none', program: ['cat'] })
  const { info } = await env.reset()
  expect(info).toMatchObject({ isolation: 'none', resetBy: 'copy' })
  expect((await env.step('hello')).observation).toContain('hello')
  await expect(env.exec('ls')).rejects.toMatchObject({ code: 'invalid_input' })
})
