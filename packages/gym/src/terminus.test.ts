import { describe, expect, test } from 'vitest'
import { parseTerminusReply, terminusFeedback } from './terminus.ts'

const json = (reply: object) => JSON.stringify({ analysis: 'a', plan: 'p', commands: [], ...reply })
const command = (fields: object) => json({ commands: [fields] })
const xml = (commands: string, rest = '') =>
  `<response><analysis>a</analysis><plan>p</plan><commands>${commands}</commands>${rest}</response>`

test('a reply as JSON is its commands', () => {
  const text = json({
    commands: [
      { keystrokes: 'ls\n', duration: 0.1 },
      { keystrokes: '', duration: 5 },
    ],
    task_complete: false,
  })
  expect(parseTerminusReply(text, 'json')).toEqual({
    commands: [
      { keystrokes: 'ls\n', seconds: 0.1 },
      { keystrokes: '', seconds: 5 },
    ],
    isTaskComplete: false,
    error: null,
    warning: null,
    analysis: 'a',
    plan: 'p',
  })
})

test('a reply as XML is the same, and its text stays unchanged', () => {
  const text = xml('<keystrokes duration="0.1">echo &lt; a < b\n</keystrokes><keystrokes duration="2">C-c</keystrokes>')
  expect(parseTerminusReply(text, 'xml')).toMatchObject({
    commands: [
      { keystrokes: 'echo &lt; a < b\n', seconds: 0.1 },
      { keystrokes: 'C-c', seconds: 2 },
    ],
    error: null,
    warning: null,
    analysis: 'a',
    plan: 'p',
  })
})

test('a wait lasts from 0 to 60 seconds', () => {
  const text = json({
    commands: [
      { keystrokes: 'a\n', duration: 600 },
      { keystrokes: 'b\n', duration: -1 },
    ],
  })
  expect(parseTerminusReply(text, 'json').commands.map(({ seconds }) => seconds)).toEqual([60, 0])
})

describe('done is', () => {
  test.each<[string, unknown, boolean]>([
    ['true', true, true],
    ['"true"', 'True', true],
    ['"yes"', 'yes', true],
    ['"1"', '1', true],
    ['not "done"', 'done', false],
    ['not null', null, false],
    ['not false', false, false],
  ])('%s', (_name, value, want) =>
    expect(parseTerminusReply(json({ task_complete: value }), 'json').isTaskComplete).toBe(want),
  )

  test.each<[string, string, boolean]>([
    ['a tag', '<task_complete>\n TRUE </task_complete>', true],
    ['not an empty one', '<task_complete/>', false],
    ['not one that says no', '<task_complete>false</task_complete>', false],
  ])('%s', (_name, tag, want) => expect(parseTerminusReply(xml('', tag), 'xml').isTaskComplete).toBe(want))
})

describe('a warning of JSON:', () => {
  test.each<[string, string, string]>([
    ['text before it', `Now: ${json({})}`, '- Extra text detected before JSON object'],
    [
      'text around it',
      `\`\`\`json\n${json({})}\n\`\`\``,
      '- Extra text detected before JSON object\n- Extra text detected after JSON object',
    ],
    ['an analysis that is no text', json({ analysis: 1 }), "- Field 'analysis' should be a string"],
    ['a plan that is no text', json({ plan: [] }), "- Field 'plan' should be a string"],
    ['done as a number', json({ task_complete: 1 }), "- Field 'task_complete' should be a boolean or string"],
    ['no duration', command({ keystrokes: 'a' }), '- Command 1: Missing duration field, using default 1.0'],
    [
      'a duration that is none',
      command({ keystrokes: 'a', duration: 'x' }),
      '- Command 1: Invalid duration value, using default 1.0',
    ],
    [
      'fields that are not known',
      command({ keystrokes: 'a', duration: 1, b: 1, c: 2 }),
      '- Command 1: Unknown fields: b, c',
    ],
    [
      'no line break between commands',
      json({
        commands: [
          { keystrokes: 'a', duration: 1 },
          { keystrokes: 'b', duration: 1 },
        ],
      }),
      '- Command 1 should end with newline when followed by another command. Otherwise the two commands will be concatenated together on the same line.',
    ],
    [
      'another order',
      '{"plan": "", "analysis": "", "commands": []}',
      '- Fields appear in wrong order. Found: plan → analysis → commands, expected: analysis → plan → commands',
    ],
    [
      'a brace that is missing',
      json({}).slice(0, -1),
      '- AUTO-CORRECTED: Fixed incomplete JSON by adding missing closing brace - please fix this in future responses',
    ],
    [
      'braces before it',
      `{not json} ${json({})}`,
      '- AUTO-CORRECTED: Extracted JSON from mixed content - please fix this in future responses',
    ],
  ])('%s', (_name, text, warning) => expect(parseTerminusReply(text, 'json')).toMatchObject({ warning, error: null }))
})

describe('an error of JSON:', () => {
  test.each<[string, string, RegExp]>([
    ['words', 'I will look.', /^No valid JSON found in response$/],
    ['nothing', '', /^No valid JSON found in response$/],
    ['a list', '[1]', /^Response must be a JSON object$/],
    ['what is no JSON', '{analysis: 1}', /^Invalid JSON: /],
    ['a tower', `{"a": ${'['.repeat(500)}${']'.repeat(500)}}`, /^Invalid JSON: is nested deeper/],
    ['no plan and no commands', '{"analysis": ""}', /^Missing required fields: plan, commands$/],
    ['commands that are none', json({ commands: {} }), /^Field 'commands' must be an array$/],
    ['a command that is a text', json({ commands: ['ls'] }), /^Command 1 must be an object$/],
    ['a command without keystrokes', command({ duration: 1 }), /^Command 1 missing required 'keystrokes' field$/],
    ['keystrokes that are no text', command({ keystrokes: 1 }), /^Command 1 'keystrokes' must be a string$/],
  ])('%s', (_name, text, error) => {
    const reply = parseTerminusReply(text, 'json')
    expect(reply.error).toMatch(error)
    expect(reply.commands).toEqual([])
  })
})

test('a finished task only gets a warning for an unreadable command', () => {
  const text = json({ commands: [{ keystrokes: 'a\n', duration: 1 }, 'x'], task_complete: true })
  expect(parseTerminusReply(text, 'json')).toMatchObject({
    commands: [],
    isTaskComplete: true,
    error: null,
    warning: '- Command 2 must be an object',
  })
  const without = '<response><analysis/><plan/><task_complete>true</task_complete></response>'
  expect(parseTerminusReply(without, 'xml')).toMatchObject({
    isTaskComplete: true,
    error: null,
    warning: '- Missing <commands> section',
  })
})

describe('a warning of XML:', () => {
  test.each<[string, string, string]>([
    [
      'text around it',
      `a ${xml('')} b`,
      '- Extra text detected before <response> tag\n- Extra text detected after </response> tag',
    ],
    ['no analysis', '<response><plan/><commands/></response>', '- Missing <analysis> section'],
    ['no plan', '<response><analysis/><commands/></response>', '- Missing <plan> section'],
    ['no duration', xml('<keystrokes>a</keystrokes>'), '- Command 1: Missing duration attribute, using default 1.0'],
    [
      'a duration that is none',
      xml('<keystrokes duration="x">a</keystrokes>'),
      "- Command 1: Invalid duration value 'x', using default 1.0",
    ],
    [
      'no line break between commands',
      xml('<keystrokes duration="1">a</keystrokes><keystrokes duration="1">b</keystrokes>'),
      '- Command 1 should end with newline when followed by another command. Otherwise the two commands will be concatenated together on the same line.',
    ],
    [
      'another order',
      '<response><plan/><analysis/><commands/></response>',
      '- Sections appear in wrong order. Found: plan → analysis → commands, expected: analysis → plan → commands',
    ],
    [
      'no end',
      xml('').replace('</response>', ''),
      '- AUTO-CORRECTED: Missing </response> tag was automatically inserted - please fix this in future responses',
    ],
  ])('%s', (_name, text, warning) => expect(parseTerminusReply(text, 'xml')).toMatchObject({ warning, error: null }))
})

test.each<[string, string, string]>([
  ['no reply', 'I will look.', 'No <response> tag found'],
  ['no commands', '<response><analysis/><plan/></response>', 'Missing <commands> section'],
  ['commands without an end', '<response><analysis/><plan/><commands><keystrokes>', 'Missing <commands> section'],
])('an error of XML: %s', (_name, text, error) =>
  expect(parseTerminusReply(text, 'xml')).toMatchObject({ error, commands: [] }),
)

test('many unclosed braces and tags are given up on soon', () => {
  expect(parseTerminusReply('{'.repeat(200_000), 'json').error).toBe('No valid JSON found in response')
  const tags = `<response><analysis/><plan/><commands>${'<keystrokes'.repeat(300_000)}</commands></response>`
  expect(parseTerminusReply(tags, 'xml').commands).toEqual([])
  expect(() => parseTerminusReply('x'.repeat(5_000_000), 'json')).toThrow(/more than/)
})

test('the model receives feedback on its reply', () => {
  const feedback = (text: string, format: 'json' | 'xml') => terminusFeedback(parseTerminusReply(text, format), format)
  expect(feedback(json({}), 'json')).toBe(null)
  expect(feedback(`x ${json({})}`, 'json')).toBe(
    'Previous response had warnings:\nWARNINGS: - Extra text detected before JSON object',
  )
  expect(feedback('x', 'xml')).toBe(
    'Previous response had parsing errors:\nERROR: No <response> tag found\n\nPlease fix these issues and provide a proper response.',
  )
  expect(feedback('x {"analysis": ""}', 'json')).toBe(
    'Previous response had parsing errors:\nERROR: Missing required fields: plan, commands\nWARNINGS: - Extra text detected before JSON object\n\nPlease fix these issues and provide a proper JSON response.',
  )
})
