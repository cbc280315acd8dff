import { afterAll, describe, expect, test } from 'vitest'
import { folderWith, removeFolders } from '../folder-fixture.ts'
import { keyText } from '../json-text.ts'
import { readTrajectory, validateTrajectory } from './validate.ts'

afterAll(removeFolders)

type Table = Readonly<Record<string, unknown>>

const user = { step_id: 1, source: 'user', message: 'Fix it.' }
const agent = {
  step_id: 2,
  timestamp: '2026-11-24T15:30:12.5Z',
  source: 'agent',
  message: '',
  model_name: 'm',
  tool_calls: [{ tool_call_id: 'c1', function_name: 'send', arguments: { text: 'ls' } }],
  observation: { results: [{ source_call_id: 'c1', content: 'a' }, { content: [{ type: 'text', text: 'b' }] }] },
  metrics: { prompt_tokens: 10, cached_tokens: 5, prompt_token_ids: [1], completion_token_ids: [2], logprobs: [-0.5] },
  llm_call_count: 1,
  extra: { reward: 1 },
}
const trajectory = (changes: Table = {}): Table => ({
  schema_version: 'ATIF-v1.7',
  agent: { name: 'a', version: '1', tool_definitions: [{ type: 'function' }] },
  steps: [user, agent],
  extra: { reward: 1 },
  ...changes,
})
/** Returns a trajectory with the agent's step changed. */
const stepped = (changes: Table): Table => trajectory({ steps: [user, { ...agent, ...changes }] })

function faultsOf(value: unknown): readonly string[] {
  const check = validateTrajectory(value)
  return check.outcome === 'valid' ? [] : check.faults.map(({ path, message }) => `${keyText(path)}: ${message}`)
}

describe('valid:', () => {
  const image = { type: 'image', source: { media_type: 'image/png', path: 'images/1.png' } }
  const inner = (id: string) => ({ ...trajectory(), trajectory_id: id })
  test.each<[string, unknown]>([
    [
      'a trajectory with everything',
      trajectory({ session_id: 's', trajectory_id: 't', notes: 'n', final_metrics: { total_steps: 2 } }),
    ],
    ['null where nothing is set', stepped({ reasoning_content: null, is_copied_context: null })],
    ['null in what is its writer’s own', trajectory({ extra: { a: null } })],
    ['images', stepped({ message: [{ type: 'text', text: '' }, image] })],
    ['effort as a number', stepped({ reasoning_effort: 0.5 })],
    ['no model was asked', stepped({ llm_call_count: 0, metrics: undefined })],
    [
      'an observation of the system',
      trajectory({ steps: [{ ...user, source: 'system', observation: { results: [] } }] }),
    ],
    ['subagents', trajectory({ trajectory_id: 't', subagent_trajectories: [inner('a'), inner('b')] })],
    [
      'a reference to one',
      stepped({ observation: { results: [{ subagent_trajectory_ref: [{ trajectory_path: 'x' }] }] } }),
    ],
    ['a day as a moment', stepped({ timestamp: '2026-11-24' })],
  ])('%s', (_name, value) => expect(faultsOf(value)).toEqual([]))
})

describe('each rule has its path and its message:', () => {
  test.each<[string, unknown, string]>([
    ['no object', [], ': Invalid input: expected object'],
    ['another format', trajectory({ schema_version: 'ATIF-v2.0' }), 'schema_version: must be "ATIF-v1.x"'],
    ['no steps', trajectory({ steps: [] }), 'steps: '],
    ['no agent', trajectory({ agent: undefined }), 'agent: '],
    ['an agent without a version', trajectory({ agent: { name: 'a' } }), 'agent.version: '],
    ['an unknown key at the root', trajectory({ reward: 1 }), 'reward: is no key of ATIF'],
    ['an unknown key of a step', stepped({ reward: 1 }), 'steps[1].reward: is no key of ATIF'],
    [
      'an unknown key of a tool call',
      stepped({ tool_calls: [{ tool_call_id: 'c1', function_name: 'f', arguments: {}, x: 1 }] }),
      'steps[1].tool_calls[0].x: is no key',
    ],
    ['an unknown key of metrics', stepped({ metrics: { reward: 1 } }), 'steps[1].metrics.reward: is no key'],
    [
      'a gap between steps',
      trajectory({ steps: [user, { ...agent, step_id: 3 }] }),
      'steps[1].step_id: is 3 and should be 2',
    ],
    [
      'steps that begin at 0',
      trajectory({ steps: [{ ...user, step_id: 0 }] }),
      'steps[0].step_id: is 0 and should be 1',
    ],
    ['an unknown source', trajectory({ steps: [{ ...user, source: 'tool' }] }), 'steps[0].source: '],
    ['no message', trajectory({ steps: [{ step_id: 1, source: 'user' }] }), 'steps[0].message: '],
    ['a moment that is none', stepped({ timestamp: 'yesterday' }), 'steps[1].timestamp: is no moment as ISO 8601'],
    ['a day that is none', stepped({ timestamp: '2026-13-44T00:00:00Z' }), 'steps[1].timestamp: is no moment'],
    [
      'a user’s model',
      trajectory({ steps: [{ ...user, model_name: 'm' }] }),
      'steps[0].model_name: only stands on steps of the agent',
    ],
    [
      'a user’s effort',
      trajectory({ steps: [{ ...user, reasoning_effort: 'high' }] }),
      'steps[0].reasoning_effort: only stands',
    ],
    [
      'a user’s reasoning',
      trajectory({ steps: [{ ...user, reasoning_content: 'x' }] }),
      'steps[0].reasoning_content: only stands',
    ],
    ['a user’s tool calls', trajectory({ steps: [{ ...user, tool_calls: [] }] }), 'steps[0].tool_calls: only stands'],
    [
      'metrics of the system',
      trajectory({ steps: [{ ...user, source: 'system', metrics: {} }] }),
      'steps[0].metrics: only stands',
    ],
    [
      'metrics where no model was asked',
      stepped({ llm_call_count: 0 }),
      'steps[1].metrics: may not stand where llm_call_count is 0',
    ],
    [
      'reasoning where no model was asked',
      stepped({ llm_call_count: 0, metrics: undefined, reasoning_content: 'x' }),
      'steps[1].reasoning_content: may not',
    ],
    ['fewer calls than none', stepped({ llm_call_count: -1 }), 'steps[1].llm_call_count: '],
    [
      'an answer to no call',
      stepped({ observation: { results: [{ source_call_id: 'x' }] } }),
      'steps[1].observation.results[0].source_call_id: "x" names no tool call',
    ],
    [
      'arguments that are no object',
      stepped({ tool_calls: [{ tool_call_id: 'c1', function_name: 'f', arguments: 'x' }] }),
      'steps[1].tool_calls[0].arguments: ',
    ],
    [
      'a reference to nothing',
      stepped({ observation: { results: [{ subagent_trajectory_ref: [{ session_id: 's' }] }] } }),
      'steps[1].observation.results[0].subagent_trajectory_ref[0]: needs trajectory_id or trajectory_path',
    ],
    [
      'more cached than prompted',
      stepped({ metrics: { prompt_tokens: 1, cached_tokens: 2 } }),
      'steps[1].metrics.cached_tokens: is 2, more than the 1',
    ],
    [
      'more cached than prompted in all',
      trajectory({ final_metrics: { total_prompt_tokens: 1, total_cached_tokens: 2 } }),
      'final_metrics.total_cached_tokens: is 2',
    ],
    [
      'a text without its text',
      stepped({ message: [{ type: 'text' }] }),
      'steps[1].message[0].text: a part of type "text" needs it',
    ],
    [
      'a text with an image',
      stepped({ message: [{ type: 'text', text: '', source: { media_type: 'image/png', path: 'a' } }] }),
      'steps[1].message[0].source: a part of type "text" has none',
    ],
    [
      'an image without its file',
      stepped({ message: [{ type: 'image' }] }),
      'steps[1].message[0].source: a part of type "image" needs it',
    ],
    [
      'a picture of another kind',
      stepped({ message: [{ type: 'image', source: { media_type: 'image/bmp', path: 'a' } }] }),
      'steps[1].message[0].source.media_type: ',
    ],
    [
      'a subagent without a name',
      trajectory({ subagent_trajectories: [trajectory()] }),
      'subagent_trajectories[0].trajectory_id: is required',
    ],
    [
      'two of one name',
      trajectory({ subagent_trajectories: ['a', 'a'].map((id) => ({ ...trajectory(), trajectory_id: id })) }),
      'subagent_trajectories[1].trajectory_id: "a" stands twice',
    ],
    [
      'one called as its parent',
      trajectory({ trajectory_id: 'a', subagent_trajectories: [{ ...trajectory(), trajectory_id: 'a' }] }),
      'subagent_trajectories[0].trajectory_id: "a" stands twice',
    ],
    [
      'a fault inside a subagent',
      trajectory({ subagent_trajectories: [{ ...trajectory({ steps: [] }), trajectory_id: 'a' }] }),
      'subagent_trajectories[0].steps: ',
    ],
  ])('%s', (_name, value, want) => {
    const faults = faultsOf(value)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(want)
  })
})

describe('a version has what it had:', () => {
  const bare: Table = { schema_version: 'ATIF-v1.0', agent: { name: 'a', version: '1' }, steps: [user] }
  const withStep = (changes: Table): Table => ({
    ...bare,
    steps: [{ step_id: 1, source: 'agent', message: '', ...changes }],
  })
  test.each<[string, number, Table, string]>([
    ['extra at the root', 1, { ...bare, extra: {} }, 'extra: '],
    [
      'an observation of the system',
      2,
      { ...bare, steps: [{ ...user, source: 'system', observation: { results: [] } }] },
      'steps[0].observation: ',
    ],
    [
      'identifiers of what was said',
      3,
      withStep({ metrics: { completion_token_ids: [1] } }),
      'steps[0].metrics.completion_token_ids: ',
    ],
    [
      'identifiers of what was asked',
      4,
      withStep({ metrics: { prompt_token_ids: [1] } }),
      'steps[0].metrics.prompt_token_ids: ',
    ],
    [
      'definitions of tools',
      5,
      { ...bare, agent: { name: 'a', version: '1', tool_definitions: [] } },
      'agent.tool_definitions: ',
    ],
    ['a message in parts', 6, withStep({ message: [{ type: 'text', text: '' }] }), 'steps[0].message: '],
    [
      'an observation in parts',
      6,
      withStep({ observation: { results: [{ content: [] }] } }),
      'steps[0].observation.results[0].content: ',
    ],
    ['its own name', 7, { ...bare, trajectory_id: 'a' }, 'trajectory_id: '],
    ['subagents inside', 7, { ...bare, subagent_trajectories: [] }, 'subagent_trajectories: '],
    ['a count of calls', 7, withStep({ llm_call_count: 1 }), 'steps[0].llm_call_count: '],
    [
      'a reference by name',
      7,
      withStep({ observation: { results: [{ subagent_trajectory_ref: [{ trajectory_id: 'a' }] }] } }),
      'steps[0].observation.results[0].subagent_trajectory_ref[0].trajectory_id: ',
    ],
  ])('%s came with 1.%i', (_name, minor, value, want) => {
    for (let version = 0; version <= 7; version++) {
      const faults = faultsOf({ ...value, schema_version: `ATIF-v1.${version}` })
      if (version >= minor) expect(faults).toEqual([])
      else expect(faults[0]).toContain(want)
    }
  })
})

test('unknown keys of a later version are ignored and named', () => {
  const later = trajectory({ schema_version: 'ATIF-v1.9', score: 1, steps: [{ ...user, mood: 'calm' }, agent] })
  const check = validateTrajectory(later)
  expect(check).toMatchObject({ outcome: 'valid', unknownKeys: ['steps[0].mood', 'score'] })
  expect(check.outcome === 'valid' && Object.hasOwn(check.trajectory, 'score')).toBe(false)
  expect(faultsOf({ ...later, steps: [{ ...user, step_id: 4 }] })).toEqual([
    expect.stringContaining('steps[0].step_id'),
  ])
})

test('faults are counted to a bound', () => {
  const steps = Array.from({ length: 300 }, () => ({ ...user, step_id: 9 }))
  expect(faultsOf(trajectory({ steps }))).toHaveLength(100)
})

test('subagents in subagents end somewhere', () => {
  let value: Table = { ...trajectory(), trajectory_id: 'x' }
  for (let depth = 0; depth < 12; depth++)
    value = { ...trajectory(), trajectory_id: `t${depth}`, subagent_trajectories: [value] }
  expect(faultsOf(value)).toEqual([expect.stringContaining('is deeper than 8 subagents')])
})

test('a file is read, or its first fault is said', () => {
  const wrong = JSON.stringify(trajectory({ steps: [{ ...user, step_id: 2, timestamp: 'x' }] }))
  const folder = folderWith({ 'good.json': JSON.stringify(trajectory()), 'wrong.json': wrong })
  expect(readTrajectory(folder, 'good.json')?.steps).toHaveLength(2)
  expect(readTrajectory(folder, 'none.json')).toBe(null)
  expect(() => readTrajectory(folder, 'wrong.json')).toThrow(/wrong\.json: steps\[0\]\.step_id: is 2/)
})
