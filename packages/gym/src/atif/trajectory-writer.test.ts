import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { folderWith, removeFolders } from '../folder-fixture.ts'
import { TrajectoryWriter } from './trajectory-writer.ts'
import { readTrajectory, validateTrajectory } from './validate.ts'

afterAll(removeFolders)

const clock = { wall: () => Date.UTC(2026, 10, 24, 15, 30, 12) }
const writer = () =>
  new TrajectoryWriter({ clock, agent: { name: 'oracle', version: '1' }, sessionId: 's', trajectoryId: 't' })

test('steps are numbered as they come, and all of it is valid', () => {
  const made = writer()
  made.addSystem({ message: 'You have a terminal.', extra: { a: 1 } })
  made.addUser({ message: 'Fix it.' })
  made.addAgent({
    message: 'ls',
    modelName: 'm',
    reasoning: 'Look first.',
    metrics: { prompt_tokens: 10, completion_tokens: 2, cost_usd: 0.5 },
    llmCallCount: 1,
    toolCalls: [{ tool_call_id: 'call_1_1', function_name: 'send', arguments: { text: 'ls' } }],
    observations: [{ source_call_id: 'call_1_1', content: 'a' }],
    reward: 0,
  })
  made.addAgent({ message: '', metrics: { prompt_tokens: 5 }, reward: 1, extra: { b: 2 } })
  made.end({ reward: 1, extra: { seed: 7 } })
  expect(made.trajectory).toMatchObject({
    schema_version: 'ATIF-v1.7',
    steps: [
      { step_id: 1, timestamp: '2026-11-24T15:30:12.000Z', source: 'system', extra: { a: 1 } },
      { step_id: 2, source: 'user' },
      { step_id: 3, source: 'agent', llm_call_count: 1, extra: { reward: 0 } },
      { step_id: 4, extra: { b: 2, reward: 1 } },
    ],
    final_metrics: { total_prompt_tokens: 15, total_completion_tokens: 2, total_cost_usd: 0.5, total_steps: 4 },
    extra: { seed: 7, reward: 1 },
  })
  expect(validateTrajectory(JSON.parse(JSON.stringify(made.trajectory)))).toMatchObject({ outcome: 'valid' })
})

test('a scripted step has no fields of a model', () => {
  const made = writer()
  made.addAgent({ message: 'x', isScripted: true, reasoning: 'never', metrics: { prompt_tokens: 1 }, llmCallCount: 3 })
  expect(made.trajectory.steps[0]).toEqual({
    step_id: 1,
    timestamp: '2026-11-24T15:30:12.000Z',
    source: 'agent',
    message: 'x',
    llm_call_count: 0,
  })
  expect(validateTrajectory(made.trajectory)).toMatchObject({ outcome: 'valid' })
})

test('the file is written whole, and pictures lie beside it', () => {
  const folder = folderWith({})
  const made = writer()
  const picture = made.addImage(folder, new Uint8Array([1, 2]), 'image/png')
  made.addUser({ message: [{ type: 'text', text: 'Look.' }, picture] })
  made.write(join(folder, 'trajectory.json'))
  made.addAgent({ message: 'Seen.' })
  made.write(join(folder, 'trajectory.json'))
  expect(picture).toEqual({ type: 'image', source: { media_type: 'image/png', path: 'images/1.png' } })
  expect([...readFileSync(join(folder, 'images/1.png'))]).toEqual([1, 2])
  expect(readTrajectory(folder, 'trajectory.json')).toEqual(made.trajectory)
})
