/** A pipeline from its text, and what is wrong with it: nothing is begun of one that could not be done. */

import { invalidInput, type TermError } from '@agentpty/protocol'
import { markedText } from '@agentpty/protocol/agents'
import { plainYaml, readYaml, yamlLineAt } from '@agentpty/protocol/home'
import { Pipeline, pipelineFileBytesMax, type Step, stepsMax } from '@agentpty/protocol/pipelines'

/** Errors: `invalid_input`, with the line. */
export function readPipeline(text: string): Pipeline {
  if (Buffer.byteLength(text) > pipelineFileBytesMax) throw wrong(`More than ${pipelineFileBytesMax} bytes`)
  const read = readYaml(text)
  if ('fault' in read) throw wrong(`Line ${read.fault.line}: ${read.fault.what}`)
  const parsed = Pipeline.safeParse(plainYaml(read.value))
  const issues = parsed.error?.issues ?? []
  // A key that is none may be the one that is missing.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (parsed.data === undefined) {
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const path = [...(issue?.path ?? []), ...unknown]
    const what = unknown.length > 0 ? 'there is no such key' : (issue?.message ?? 'no pipeline')
    throw wrong(`Line ${yamlLineAt(read.value, path)}: ${path.length === 0 ? '' : `${path.join('.')}: `}${what}`)
  }
  checkSteps(parsed.data)
  return parsed.data
}

/** Errors: `invalid_input`. */
export function inputsOf({ inputs }: Pipeline, given: Readonly<Record<string, string>>): Record<string, string> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(inputs, name))
  const names = Object.keys(inputs).join(', ') || 'none'
  if (unknown !== undefined) throw wrong(`There is no input "${unknown}"`, `There are: ${names}.`)
  const all = Object.entries(inputs).map(([name, otherwise]) => {
    const value = given[name] ?? otherwise
    if (value === null) throw wrong(`The input "${name}" is missing`, `Give it with --input ${name}=TEXT.`)
    return [name, value] as const
  })
  return Object.fromEntries(all)
}

function checkSteps({ steps, inputs }: Pipeline): void {
  const names = Object.keys(steps)
  if (names.length === 0) throw wrong('There are no steps')
  if (names.length > stepsMax) throw wrong(`More than ${stepsMax} steps`)
  for (const [name, step] of Object.entries(steps)) checkStep(name, step, { steps, inputs })
  const circle = circleIn(steps)
  if (circle !== null) throw wrong(`Steps wait for each other: ${circle.join(' → ')}`, 'Take one of these needs out.')
}

function checkStep(name: string, step: Step, { steps, inputs }: Pick<Pipeline, 'steps' | 'inputs'>): void {
  const missing = step.needs.find((need) => !Object.hasOwn(steps, need))
  if (missing !== undefined)
    throw wrong(`Step "${name}" needs "${missing}", which is none`, `There are: ${Object.keys(steps).join(', ')}.`)
  const isNeeded = (other: string) => step.needs.includes(other)
  const named = [...step.when.map((one) => one.step), ...(typeof step.each === 'string' ? [step.each] : [])]
  const { outputs, given, others } = namesIn(step.task)
  const unneeded = [...named, ...outputs].find((other) => !isNeeded(other))
  if (unneeded !== undefined)
    throw wrong(`Step "${name}" uses "${unneeded}" and does not need it`, `Add it to steps.${name}.needs.`)
  const input = given.find((one) => !Object.hasOwn(inputs, one))
  if (input !== undefined) throw wrong(`Step "${name}" uses the input "${input}", which is none`, 'Add it to inputs.')
  if (others.includes('item') && step.each === undefined) throw wrong(`Step "${name}" uses {{item}} without each`)
  const unknown = others.find((one) => one !== 'item')
  if (unknown !== undefined)
    throw wrong(
      `Step "${name}" uses {{${unknown}}}, which means nothing`,
      'Use {{STEP.output}}, {{inputs.NAME}} or {{item}}.',
    )
}

/** Names in the order in which they wait, the first one again at the end; null without a circle. */
function circleIn(steps: Pipeline['steps']): readonly string[] | null {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return null
    for (const need of steps[name]?.needs ?? []) {
      const circle = visit(need, [...path, name])
      if (circle !== null) return circle
    }
    done.add(name)
    return null
  }
  for (const name of Object.keys(steps)) {
    const circle = visit(name, [])
    if (circle !== null) return circle
  }
  return null
}

function wrong(what: string, hint = 'See docs/pipelines.md.'): TermError {
  return invalidInput(`${what}.`, hint)
}

// Instructions with answers in them. What another agent has written is data, and is marked as such.

const placeholder = /\{\{\s*([\w-]+)(?:\.([\w-]+))?\s*\}\}/g

/** `outputs`: steps whose answers are used. `given`: inputs. `others`: all other names in braces. */
export function namesIn(text: string) {
  const outputs: string[] = []
  const given: string[] = []
  const others: string[] = []
  for (const [, name = '', field] of text.matchAll(placeholder)) {
    if (field === 'output') outputs.push(name)
    else if (name === 'inputs' && field !== undefined) given.push(field)
    else others.push(field === undefined ? name : `${name}.${field}`)
  }
  return { outputs, given, others }
}

interface Filling {
  readonly outputOf: (step: string) => string
  readonly inputs: Readonly<Record<string, string>>
  readonly item: string | null
}

/** In one pass: what is put in is not looked through again. */
export function fill(text: string, { outputOf, inputs, item }: Filling): string {
  return text.replaceAll(placeholder, (_whole, name: string, field?: string) => {
    if (field === 'output') return markedText(outputOf(name), `the answer of the step ${name}`)
    if (name === 'inputs') return inputs[field ?? ''] ?? ''
    return item === null ? '' : markedText(item, 'an item')
  })
}
