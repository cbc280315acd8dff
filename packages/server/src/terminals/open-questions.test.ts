import { questionKeptMs, questionsMax } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { OpenQuestions } from './open-questions.ts'

const asked = { terminalId: 'term-1', program: 'sudo', text: 'Password:', isSecret: true, cursor: 12 }

test('the same question is one for all callers, and another one when the program has continued', () => {
  const questions = new OpenQuestions(new FakeClock())
  const first = questions.add(asked)
  expect(questions.add(asked)).toBe(first)
  expect(questions.add({ ...asked, cursor: 30 }).questionId).not.toBe(first.questionId)
  expect(questions.list()).toHaveLength(2)
})

test('the first answer counts, and the second is refused as too late', async () => {
  const questions = new OpenQuestions(new FakeClock())
  const { questionId } = questions.add(asked)
  expect(questions.take(questionId)).toMatchObject(asked)
  expect(() => questions.take(questionId)).toThrowError(/has been answered/)
  expect(questions.find(questionId)).toBeNull()
  questions.settle(questionId, true)
  expect(await questions.whenSettled(questionId)).toBe(true)
})

test('a question without an answer expires, and each waiting caller learns so', async () => {
  const clock = new FakeClock()
  const questions = new OpenQuestions(clock)
  const { questionId } = questions.add(asked)
  const settled = questions.whenSettled(questionId)
  clock.advance(questionKeptMs)
  expect([await settled, questions.list(), await questions.whenSettled(questionId)]).toEqual([false, [], false])
})

test('they are bounded', () => {
  const questions = new OpenQuestions(new FakeClock())
  for (let cursor = 0; cursor < questionsMax; cursor++) questions.add({ ...asked, cursor })
  expect(() => questions.add({ ...asked, cursor: -1 })).toThrowError(/wait for a person/)
})
