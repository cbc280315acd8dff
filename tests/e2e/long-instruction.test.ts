/** A long instruction is a file to read, also for a sandboxed agent, which sees no other file of ours. */

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import { expect, test } from 'vitest'
import { type Instance, until } from '../harness/instance.ts'
import { eachWithPerson } from './each-with-person.ts'

let person: WireClient
let instance: Instance
eachWithPerson((given) => {
  person = given.person
  instance = given.instance
})

const text = `${'A line of a long instruction, which no paste brings over whole.\n'.repeat(700)}Last.`
/** Prints the length of the file it is sent, whether it is writable, and its neighbours. */
const reader = String.raw`read line
path=$(printf %s "$line" | sed 's/.*in the file \(.*\)\. Read all.*/\1/')
wc -c < "$path"; tail -n 1 "$path"; echo
(echo x > "$path") 2>/dev/null && echo written || echo read-only
ls "$(dirname "$path")" | wc -l
echo "at:$path:"; exec cat`

const folders = () => readdirSync(instance.paths.runFolder).filter((name) => name.startsWith('t-'))

test('of its own only, and removed with its terminal', async () => {
  writeFileSync(join(instance.user, 'reader.sh'), reader)
  const open = () => person.call('create', { command: ['sh', 'reader.sh'], sandbox: true, cwd: instance.user })
  const { terminalId } = await open()
  const other = await open()
  for (const id of [terminalId, other.terminalId]) await person.call('instruct', { terminalId: id, text })
  const seen = async (id: string) => (await person.call('read', { terminalId: id, since: 0 })).output
  await until(async () => /^at:.*:$/m.test(await seen(terminalId)))
  const output = await seen(terminalId)
  const [, bytes = '0'] = /^(\d{5,})$/m.exec(output) ?? []
  expect(Number(bytes)).toBe(text.length)
  expect(output).toMatch(/^Last\.$[\s\S]*^read-only$\s+1$/m)
  const [, path = ''] = /^at:(.*):$/m.exec(output) ?? []
  expect(path).toMatch(/^\/run\/agentpty-tasks\//)
  expect(folders()).toHaveLength(2)
  await person.call('close', { terminalIds: [terminalId] })
  await until(() => folders().length === 1)
})
