import { doorAnswersBytesMax, doorAnswersKeptMax } from '@agentpty/protocol/gym'
import { expect, test } from 'vitest'
import { type Answered, KeptAnswers } from './swerex.ts'

function counted(body = '') {
  let times = 0
  const work = async (): Promise<Answered> => ({ status: 200, body: `${++times}${body}` })
  return { work, times: () => times }
}

test('work is done once for an id, also while it is under way, and each time without one', async () => {
  const answers = new KeptAnswers()
  const { work, times } = counted()
  const both = await Promise.all([answers.once('a', work), answers.once('a', work)])
  expect(both.map(({ body }) => body)).toEqual(['1', '1'])
  expect(await answers.once('a', work)).toEqual({ status: 200, body: '1' })
  await answers.once(null, work)
  await answers.once(null, work)
  expect(times()).toBe(3)
})

test('work that has failed is done again', async () => {
  const answers = new KeptAnswers()
  await expect(answers.once('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await answers.once('a', counted().work)).toMatchObject({ body: '1' })
})

test('the oldest make room when there are too many, or too much of them; the newest stays', async () => {
  const answers = new KeptAnswers()
  const { work } = counted()
  for (let number = 0; number <= doorAnswersKeptMax; number++) await answers.once(String(number), work)
  expect(await answers.once('1', work)).toMatchObject({ body: '2' })
  expect(await answers.once('0', work)).toMatchObject({ body: String(doorAnswersKeptMax + 2) })
  const large = counted('x'.repeat(doorAnswersBytesMax))
  await answers.once('large', large.work)
  await answers.once('large', large.work)
  expect(large.times()).toBe(1)
  expect(await answers.once('1', counted('again').work)).toMatchObject({ body: '1again' })
})
