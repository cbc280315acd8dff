/** Writes the results of the last run of tests/clients into docs/clients.md: `npm run clients` does both. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Outcome, outcomesFolder, toTable } from './matrix.ts'

const page = resolve('docs/clients.md')
const begin = '<!-- clients: begin -->'
const end = '<!-- clients: end -->'

const outcomes = readdirSync(outcomesFolder)
  .toSorted()
  .flatMap((name): Outcome[] => JSON.parse(readFileSync(join(outcomesFolder, name), 'utf8')))
const text = readFileSync(page, 'utf8')
const [before, rest] = text.split(begin)
const after = rest?.split(end)[1]
assert.ok(before !== undefined && after !== undefined, `${page} has no markers for the table`)
writeFileSync(page, `${before}${begin}\n${toTable(outcomes)}\n${end}${after}`)
