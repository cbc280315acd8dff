/** The workflow files of the forge run scripts that exist, with the least rights and an end. A developer can run every step. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { problemWith } from './run/arguments.mjs'
import { scripts } from './run/table.mjs'

const Step = z.object({ run: z.string().optional(), uses: z.string().optional() })
const Entry = z.record(z.string(), z.union([z.string(), z.number()]))
const Matrix = z.object({ include: z.array(Entry).default([]) }).catchall(z.unknown())
const Job = z.object({
  permissions: z.record(z.string(), z.string()),
  'timeout-minutes': z.union([z.number(), z.string()]),
  strategy: z.object({ 'fail-fast': z.boolean(), matrix: Matrix }).optional(),
  steps: z.array(Step),
})
const Workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  concurrency: z.object({ group: z.string() }).loose(),
  jobs: z.record(z.string(), Job),
})

const folder = '.github/workflows'

/** Commands that prepare a machine; every other command is a script of this project. */
const preparations = [/^npm ci$/, /^apk add /, /^apt-get update && apt-get install /]

/** Null if the command is a preparation, a file that exists, or a known script with valid arguments. */
function problemOf(command: string): string | null {
  if (preparations.some((one) => one.test(command))) return null
  const [program, first = '', second = '', dashes, ...args] = command.split(' ')
  if (program === 'node') return existsSync(first) ? null : `there is no file ${first}`
  if (program !== 'npm' || first !== 'run') return `"${command}" is no script of package.json`
  const script = Object.hasOwn(scripts, second) ? scripts[second] : undefined
  if (script === undefined) return `there is no script ${second}`
  if (dashes !== undefined && dashes !== '--') return `"${command}" gives npm the argument ${dashes}`
  return problemWith(script, args)
}

/** The commands of a step: one for each entry of the matrix, if it names one. */
function commandsOf(run: string, entries: readonly z.infer<typeof Entry>[]): readonly string[] {
  const named = /^\$\{\{ matrix\.(\w+) \}\}$/.exec(run)?.[1]
  if (named !== undefined) return entries.map((entry) => String(entry[named]))
  return [run.replaceAll(/\$\{\{ [^}]* \}\}/g, '1')]
}

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const workflow = Workflow.parse(parse(readFileSync(`${folder}/${name}`, 'utf8')))
  const jobs = Object.entries(workflow.jobs)

  test('reads the repository and nothing more', () => {
    const rights = [workflow.permissions, ...jobs.map(([, { permissions }]) => permissions)]
    expect(rights).toEqual(rights.map(() => ({ contents: 'read' })))
  })

  test.each(jobs)('runs scripts of this project in %s', (_, { steps, strategy }) => {
    const commands = steps.flatMap(({ run }) =>
      run === undefined ? [] : commandsOf(run, strategy?.matrix.include ?? []),
    )
    expect(commands.map(problemOf).filter((problem) => problem !== null)).toEqual([])
    expect(commands).not.toEqual([])
  })

  test.each(jobs)('ends %s and each entry of its matrix', (_, { 'timeout-minutes': limit, strategy }) => {
    const named = /^\$\{\{ matrix\.(\w+) \}\}$/.exec(String(limit))?.[1]
    const limits = named === undefined ? [limit] : (strategy?.matrix.include ?? []).map((entry) => entry[named])
    expect(limits.filter((minutes) => !(typeof minutes === 'number' && minutes > 0 && minutes <= 360))).toEqual([])
    expect(limits).not.toEqual([])
  })

  test('pins every action to a commit, with its version beside it', () => {
    const lines = readFileSync(`${folder}/${name}`, 'utf8').split('\n')
    const uses = lines.filter((line) => /\buses:/.test(line))
    expect(uses.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })
})
