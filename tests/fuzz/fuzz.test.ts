import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'vitest'
import { corpusFolder, readInputs } from './corpus.ts'
import { fewest, fuzz } from './fuzzer.ts'
import { cutsOf, type Target } from './target.ts'
import { targets } from './targets/index.ts'
import { MemoryToll } from './toll.ts'

describe.each([...targets.values()])('the saved inputs of $name', (target) => {
  const inputs = readInputs(path.join(corpusFolder, target.name))

  test('exist and pass', async () => {
    assert.ok(inputs.length > 0, `npm run fuzz -- ${target.name} --keep makes some`)
    for (const { name, input } of inputs) {
      await Promise.resolve(target.check(input)).catch((error: unknown) => {
        throw new Error(`${name} does not hold`, { cause: error })
      })
    }
  })
})

/** Fails for one word. */
const stairs: Target = {
  name: 'stairs',
  covers: [],
  words: ['s', 't', 'e', 'p'],
  bytesMax: 100,
  check(input) {
    const text = Buffer.from(input).toString('latin1')
    if (text.includes('step')) throw new Error('found')
  },
}

test('a failing input is found and reduced', async () => {
  const { finding } = await fuzz(stairs, { seed: 1, corpus: [Buffer.from('ste')], goesOn: (tried) => tried < 50_000 })
  assert.equal(finding && Buffer.from(finding.input).toString(), 'step')
  assert.match(String(finding?.error), /found/)
})

test('inputs that reach new code are saved, reduced to the fewest that reach all of it', async () => {
  const marks = targets.get('marks')
  assert.ok(marks)
  const { retained, blocks } = await fuzz(marks, { seed: 3, corpus: [], goesOn: (tried) => tried < 500 })
  assert.ok(retained.length > 10 && blocks > 40, `${retained.length} retained, ${blocks} blocks`)
  const needed = await fewest(marks, [], retained)
  assert.ok(needed.length > 0 && needed.length < retained.length)
  assert.deepEqual(await fewest(marks, needed, retained), [])
})

test('joined pieces are the original bytes', () => {
  const { bytes, pieces } = cutsOf(Buffer.from('\x07hello, and some more of it'))
  assert.deepEqual(Buffer.concat([...pieces]), Buffer.from(bytes))
  assert.ok(pieces.length > 1)
})

test('the memory of one input, and of all inputs, is bounded', async () => {
  const megabyte = () =>
    'x'
      .repeat(512)
      .split('')
      .map((letter, at) => new Array(256).fill(`${letter}${at}`))
  const retained: unknown[] = []
  const toll = new MemoryToll({ peakMb: 40, keptMb: 20, every: 1 })
  await toll.during(async () => void retained.push(megabyte()))
  // Referenced until measured; otherwise it may be collected before.
  const made: unknown[] = []
  const makes = async () => void made.push(...Array.from({ length: 60 }, megabyte))
  await assert.rejects(toll.during(makes), /one input makes \d+ MB/)
  made.length = 0
  const leaves = async () => {
    for (let input = 0; input < 60; input += 1) await toll.during(async () => void retained.push(megabyte()))
  }
  await assert.rejects(leaves(), /\d+ MB are left of the inputs/)
})
