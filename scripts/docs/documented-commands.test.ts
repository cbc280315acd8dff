/** Every command line of agentpty in the pages names a command, flags and words that exist, and every npm script exists. */

import { readFileSync } from 'node:fs'
import { type CliOptions, type CommandTable, runCli } from '@agentpty/cli'
import { expect, test } from 'vitest'
import { commands } from '../../packages/agentpty/src/compose/commands.ts'
import { scripts } from '../run/table.mjs'
import { codeLinesOfAll, documentedCalls, pages } from './documented-calls.ts'

/** The same commands, which do nothing once their line is parsed. */
const parsedOnly: CommandTable = Object.fromEntries(
  Object.entries(commands).map(([name, load]) => [name, async () => ({ ...(await load()), run: async () => 0 })]),
)

test('the pages have command lines', () => {
  expect(documentedCalls.length).toBeGreaterThan(150)
})

test.each(documentedCalls)('$page: agentpty $line', async ({ words }) => {
  let complaint = ''
  const options: Pick<CliOptions, 'commands' | 'version' | 'print' | 'complain'> = {
    commands: parsedOnly,
    version: '1.2.3',
    print: () => {},
    complain: (text) => {
      complaint += text
    },
  }
  const code = await runCli(words, options as CliOptions)
  expect([code, complaint]).toEqual([0, ''])
})

test('every npm script that a page names exists', () => {
  const named = codeLinesOfAll.flatMap(({ page, text }) =>
    [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => ({ page, name })),
  )
  expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([])
})

test('no page names a published package before it is published', () => {
  const wrong = pages.filter((page) =>
    /npx (?:-y )?agentpty|npm (?:i|install) -g agentpty/.test(readFileSync(page, 'utf8')),
  )
  expect(wrong).toEqual([])
})
