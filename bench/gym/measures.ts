/** Each function measures one thing and returns it in words, with the goal. */

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { ResetKind } from 'agentpty/gym'
import { type Env, makeEnv, makeVec } from 'agentpty/gym'
import { quantiles } from '../page/scene.ts'

const stepsEach = 300
const resetsEach = 40
const many = 64

const programs: readonly (readonly [string, string[] | undefined, (number: number) => string])[] = [
  ['bash', undefined, (number) => `echo ${number}`],
  ['python', ['python3', '-q'], (number) => `${number} + 1`],
  ['pdb', ['python3', '-c', 'import pdb; pdb.set_trace()'], () => 'p 1'],
]

/** Goal: p50 of 5 ms in a shell, 8 ms in a REPL. */
export async function steps(): Promise<string> {
  const lines: string[] = []
  for (const [name, program, action] of programs) {
    await using env = await makeEnv(program === undefined ? {} : { program })
    await env.reset()
    lines.push(`${name} ${quantiles(await times(stepsEach, (number) => env.step(action(number))))}`)
  }
  return `${lines.join('; ')} (goal p50 5 ms in a shell, 8 ms elsewhere)`
}

/** Goal: p50 of 15 ms by an overlay and 70 ms by a copy, with the prompt. */
export async function resets(files: string): Promise<string> {
  const lines: string[] = []
  for (const resetBy of ['overlay-memory', 'overlay-disk', 'copy', 'git'] satisfies ResetKind[]) {
    await using env = await makeEnv({ files, resetBy })
    await changed(env)
    const apart: number[] = []
    for (let number = 0; number < resetsEach; number++) {
      const startedAt = performance.now()
      await env.reset()
      apart.push(performance.now() - startedAt)
      await env.step('echo x >> d1/f1; rm -r d2; mkdir d3/new')
    }
    lines.push(`${resetBy} ${quantiles(apart)}`)
  }
  const copies = await times(5, async () => {
    rmSync(`${files}-copy`, { recursive: true, force: true })
    execFileSync('cp', ['-a', files, `${files}-copy`])
  })
  rmSync(`${files}-copy`, { recursive: true, force: true })
  return `${lines.join('; ')} (goal p50 15 ms by an overlay, 70 ms by a copy; beside them cp -a and rm -r ${quantiles(copies)})`
}

async function changed(env: Env): Promise<void> {
  await env.reset()
  await env.step('rm -r d1')
}

/** Goal: 600 ms. */
export async function atOnce(files: string): Promise<string> {
  await using vec = await makeVec({ n: many, files })
  const rounds: number[] = []
  for (let round = 0; round < 6; round++) {
    const startedAt = performance.now()
    const { infos } = await vec.reset()
    rounds.push(performance.now() - startedAt)
    const failed = infos.filter(({ infraError }) => infraError !== undefined).length
    if (failed > 0) throw new Error(`${failed} of ${many} resets have failed`)
    await vec.step(vec.envs.map(() => 'true'))
  }
  return `${many} resets at once ${quantiles(rounds)} (goal 600 ms)`
}

/** Goal: 400 steps per second. */
export async function throughput(): Promise<string> {
  await using vec = await makeVec({ n: many })
  await vec.reset()
  await vec.step(vec.envs.map(() => 'true'))
  const startedAt = performance.now()
  const rounds = 20
  for (let round = 0; round < rounds; round++) await vec.step(vec.envs.map(() => `echo ${round}`))
  const perSecond = (rounds * many * 1_000) / (performance.now() - startedAt)
  return `${Math.round(perSecond)} steps per second over ${many} environments (goal 400)`
}

/** Commands of 0.05 to 3 s, whose result must be in the step that started them. Goal: none is missing in 10,000. */
export async function staleness(): Promise<string> {
  const rounds = 160
  const asked = many
  await using vec = await makeVec({ n: asked })
  await vec.reset()
  let stale = 0
  for (let round = 0; round < rounds; round++) {
    const seconds = vec.envs.map((_, index) => 0.05 + (((round * 7 + index * 13) % 100) / 100) ** 4 * 2.95)
    const actions = seconds.map((wait, index) => `sleep ${wait.toFixed(3)}; echo done-$((${round}*1000+${index}))`)
    const { observations } = await vec.step(actions)
    stale += observations.filter((text, index) => !text.includes(`done-${round * 1_000 + index}`)).length
  }
  return `${stale} stale observations in ${rounds * asked} steps (goal 0 in 10,000)`
}

async function times(count: number, act: (number: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let number = 0; number < count; number++) {
    const startedAt = performance.now()
    await act(number)
    taken.push(performance.now() - startedAt)
  }
  return taken
}
