/** Tests of money.mjs. */

import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { format, split, withVat } from './money.mjs'

const cases = [
  ['a price is shown in euros', () => format(1_999), '€ 19.99'],
  ['an amount is divided without a rest', () => split(900, 3), [300, 300, 300]],
  ['no cent is lost', () => split(1_000, 3), [334, 333, 333]],
  ['a price includes VAT', () => withVat(1_000), 1_190],
  ['VAT is rounded to a cent', () => withVat(999), 1_189],
]
/** So that the replay has a length. */
const caseMs = 400
const print = (text) => process.stdout.write(`${text}\n`)
let failed = 0
for (const [name, run, expected] of cases) {
  await setTimeout(caseMs)
  const [actual, wanted] = [run(), expected].map((value) => JSON.stringify(value))
  print(actual === wanted ? `\x1b[32m✓\x1b[0m ${name}` : `\x1b[31m✗ ${name}: ${actual}, expected ${wanted}\x1b[0m`)
  if (actual !== wanted) failed++
}
print(`${cases.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
