import { expect, test } from 'vitest'
import type { LogEvent } from '../../../tools/fake-model/event-log.ts'
import { turnPrompt } from './scripted-prompts.ts'
import { countTurns } from './turns-truth.ts'

const asks = turnPrompt(1, true)
const says = turnPrompt(2, false)

const request = (t: number, id: number, prompt: string, results = 0): LogEvent => ({
  t,
  ev: 'request',
  kind: 'main',
  id,
  prompt,
  results,
})
const tool = (t: number, id: number): LogEvent => ({ t, ev: 'respond', what: 'tool', id })

/** A dialog from 20 to 60, then the next prompt. */
const log = [request(10, 1, asks), tool(20, 1), request(60, 2, asks, 1), request(80, 3, says)]

test('turns whose dialogs are answered before the next instruction are faultless', () => {
  const typed = [
    { prompt: asks, t: 5 },
    { prompt: says, t: 75 },
  ]
  expect(countTurns({ log, typed, answered: [{ t: 50 }] })).toEqual({
    turns: 2,
    dialogs: 1,
    intoDialog: 0,
    answeredByOthers: 0,
    lost: 0,
    doubled: 0,
  })
})

test('an instruction typed into an open dialog is counted, and so is a dialog that it answers', () => {
  const typed = [
    { prompt: asks, t: 5 },
    { prompt: says, t: 30 },
  ]
  expect(countTurns({ log, typed, answered: [] })).toMatchObject({ intoDialog: 1, answeredByOthers: 1 })
})

test('a prompt that reached the model altered, never, or twice is counted', () => {
  const typed = [asks, says, turnPrompt(3, false)].map((prompt, index) => ({ prompt, t: index }))
  const altered = [request(10, 1, `1${asks}`), request(20, 2, says), request(30, 3, says)]
  expect(countTurns({ log: altered, typed, answered: [] })).toMatchObject({ lost: 2, doubled: 1 })
})
