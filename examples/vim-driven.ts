/** Edits a file in vim by keys, reading the screen as a person does. */

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from 'agentpty'

const file = join(mkdtempSync(join(tmpdir(), 'vim-')), 'poem.txt')

await using vim = await openSession({ command: ['vim', '-u', 'NONE', '-N', file], cols: 60, rows: 12 })
await vim.press(['i'])
await vim.send('roses are red\nviolets are red', { enter: false })
await vim.press(['escape'])
await vim.send(':2s/red/blue/', { waitFor: { stableMs: 50 } })
console.log((await vim.screen()).screen)
await vim.send(':wq', { waitFor: 'exit' })
const poem = readFileSync(file, 'utf8')
console.log(poem)

assert.equal(poem, 'roses are red\nviolets are blue\n')
