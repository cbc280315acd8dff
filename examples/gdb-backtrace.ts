/** Takes a crashing program to its backtrace, as a person would at gdb's prompt. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from 'agentpty'

const program = join(mkdtempSync(join(tmpdir(), 'segfault-')), 'segfault')
execFileSync('cc', ['-g', '-O0', '-o', program, new URL('segfault/segfault.c', import.meta.url).pathname])

await using gdb = await openSession({ command: ['gdb', '-q', program] })
await gdb.send('set pagination off')
console.log((await gdb.send('run')).output)
const { output } = await gdb.send('backtrace')
console.log(output)

assert.match(output, /^#0 .*last_value/)
