/** An agent of the pictures: `agent.mjs NAME` takes a task, prints its steps, and works until it is closed. */

import process from 'node:process'
import { createInterface } from 'node:readline'

/** Lines that begin with +, - or | belong to the step above. */
const stepsOf = {
  api: [
    'Read money.mjs, test.mjs',
    'Two parts: I fix the rounding, docs-writer describes it.',
    'Edit money.mjs',
    '- return Math.floor(cents * (1 + vat))',
    '+ return Math.round(cents * (1 + vat))',
    'Run node test.mjs in the terminal tests',
    '| 5 passed, 0 failed',
  ],
  'docs-writer': [
    'Read money.mjs',
    'Write docs/invoices.md',
    '+ ## Amounts',
    '+ Amounts are whole cents. VAT is added once,',
    '+ and rounded to a cent.',
    'Check the links of 14 pages',
    '| 52 links, all reachable',
  ],
}
const colors = { '+': '\x1b[32m', '-': '\x1b[31m', '|': '\x1b[2m' }

const [name = ''] = process.argv.slice(2)
const print = (text) => process.stdout.write(text)
const report = (state) => print(`\x1b]7501;state=${state}\x1b\\`)

print('> ')
report('idle')
createInterface({ input: process.stdin }).once('line', () => {
  report('working')
  print('\n')
  for (const step of stepsOf[name] ?? []) {
    const color = colors[step[0]]
    print(color === undefined ? `\x1b[32m●\x1b[0m ${step}\n` : `  ${color}${step}\x1b[0m\n`)
  }
  print('\n\x1b[36m* Working…\x1b[0m \x1b[2m(esc to interrupt)\x1b[0m ')
})
