/** docs/agents.md agrees with the code: its tables are those of the adapters and of the settings, and its file is valid. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadAll } from '@agentpty/cli/testing'
import { knownAdapters, permissionModesOf, treeLimitsDefault } from '@agentpty/protocol/agents'
import { configJsonSchema, explainAdapters, treeLimitsIn } from '@agentpty/protocol/home'
import { noHooks, ownHooks } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { commands } from '../../packages/agentpty/src/compose/commands.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/agents.md'), 'utf8')

const table = (head: readonly string[], rows: readonly (readonly string[])[]) => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** The first file on the page that contains this. */
const fileWith = (key: string) =>
  [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, one = '']) => one).find((one) => one.includes(key)) ?? ''
const adaptersOf = (text: string) =>
  new Map(explainAdapters({ path: 'config.yaml', text }).map(({ adapter }) => [adapter.name, adapter]))

test('the known agents are there, with what they can do', () => {
  const can = (words: readonly string[] | null) => (words === null ? 'no' : 'yes')
  const rows = knownAdapters.map((adapter) => {
    const { name, title, command, conversations } = adapter
    const program = `${title}: \`${command.join(' ')}\``
    return [
      `\`${name}\``,
      program,
      permissionModesOf(adapter).join(', '),
      can(conversations.resume),
      can(conversations.fork),
    ]
  })
  const whole = table(['name', 'program', 'permissions', 'goes on from a conversation', 'forks one'], rows)
  expect(page, `the table of agents is to be:\n${whole}`).toContain(`\n${whole}\n\n`)
})

test('the transcripts that are read are there, with what tells where they are', () => {
  const rows = knownAdapters.flatMap(({ name, transcripts }) => {
    if (transcripts === null) return []
    const { folder, rules } = transcripts
    const tellsCost = rules.some(({ used }) => used?.cost !== undefined)
    return [{ name, place: `~/${folder.otherwise}/${transcripts.file}`, variable: folder.variable, tellsCost }]
  })
  expect(rows.length).toBeGreaterThan(4)
  for (const { name, place, variable, tellsCost } of rows) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` | \`${place}\` | \`${variable}\` |`))
    expect(row, `the row of ${name} with ${place} and ${variable}`).toBeDefined()
    expect(row?.endsWith('| no |')).toBe(!tellsCost)
  }
})

test('all keys of the settings are there, with what they mean', () => {
  const { properties } = configJsonSchema() as { readonly properties: Readonly<Record<string, Agents>> }
  const keys = Object.entries(properties['agents']?.additionalProperties.properties ?? {})
  const whole = table(
    ['key', 'means'],
    keys.map(([key, { description }]) => [`\`${key}\``, description]),
  )
  expect(keys.length).toBeGreaterThan(10)
  expect(page, `the table of keys is to be:\n${whole}`).toContain(`\n${whole}\n\n`)
})

test('all limits are there, with what they mean', () => {
  const { properties } = configJsonSchema() as { readonly properties: Readonly<Record<string, Agents>> }
  const limits = Object.entries(properties['agents']?.properties.limits.properties ?? {})
  const whole = table(
    ['limit', 'means'],
    limits.map(([key, { description }]) => [`\`${key}\``, description]),
  )
  expect(limits.map(([key]) => key)).toEqual(Object.keys(treeLimitsDefault))
  for (const [key, { description }] of limits)
    expect(description).toContain(
      `Default${treeLimitsDefault[key as 'depth'] === null ? ':' : ` ${treeLimitsDefault[key as 'depth']}.`}`,
    )
  expect(page, `the table of limits is to be:\n${whole}`).toContain(`\n${whole}\n\n`)
})

test('the limits on the page are valid, and hold', () => {
  const text = fileWith('limits:')
  expect(treeLimitsIn({ path: 'config.yaml', text })).toEqual({ ...treeLimitsDefault, depth: 3, startsPerMinute: 10 })
})

type Described = Readonly<Record<string, { readonly description: string }>>

interface Agents {
  readonly properties: { readonly limits: { readonly properties: Described } }
  readonly additionalProperties: { readonly properties: Readonly<Record<string, { readonly description: string }>> }
}

test('the file on the page is valid, and does what the page says of it', () => {
  const named = adaptersOf(fileWith('default_model:'))
  expect(named.get('claude')?.defaultModel).toBe('opus')
  expect(named.get('reviewer')).toMatchObject({ modelFlag: '--model', interrupt: ['escape'] })
  expect(named.get('mine')).toMatchObject({ firstInstruction: { by: 'flag', flag: '--task' }, asksForAnswer: true })
})

test('the hooks on the page are valid, and those that it says', () => {
  const named = adaptersOf(fileWith('hooks:'))
  expect(named.get('claude')?.hooks).toEqual({ ...noHooks, check: 'agentpty hook check' })
  expect(named.get('gemini')?.hooks).toEqual(ownHooks)
  for (const { name, hookWay } of knownAdapters)
    if (hookWay !== null) expect(page).toContain(`| \`${name}\` | \`${hookWay.name}\``)
})

test('every command and flag on the page is there', async () => {
  const lines = [...page.matchAll(/agentpty ((?:agents?|hook)(?: [a-z]+)?)/g)].map(([, name = '']) => name)
  const names = Object.keys(commands)
  expect(new Set(lines).size).toBeGreaterThan(6)
  for (const name of lines) expect(names).toContain(name)
  const spoken = names.filter((name) => /^(?:agent|hook|mcp$)/.test(name))
  const flags = (await loadAll(commands, spoken)).flatMap(({ flags = {} }) => Object.keys(flags))
  // Other programs' commands are those in tables, and those in their settings.
  const text = page.replaceAll(/```yaml[\s\S]*?```/g, '').replaceAll(/\| `[\s\S]*? \|\n/g, '')
  for (const [, flag] of text.matchAll(/--([a-z][a-z-]+)/g)) expect([...flags, 'json', 'help']).toContain(flag)
})
