/** Callers' changes of the lineage survive the daemon, and terminals keep their positions. */

import type { WireClient } from '@agentpty/protocol/wire'
import { expect, test } from 'vitest'
import { type Instance, until } from '../harness/instance.ts'
import { eachWithPerson } from './each-with-person.ts'

let instance: Instance
let person: WireClient
eachWithPerson((fresh) => {
  instance = fresh.instance
  person = fresh.person
})

const placesAt = async (client: WireClient) =>
  (await client.call('lineage', {})).nodes
    .map(({ label, parentId, summary }) => ({ label, parentId, summary }))
    .toSorted((a, b) => a.label.localeCompare(b.label))

test('groups and their members are restored after a kill of the daemon', async () => {
  const add = { kind: 'add', nodeKind: 'group', role: '', parentId: null, terminalId: null } as const
  const { node: team } = await person.call('changeLineage', { change: { ...add, label: 'team' } })
  for (const name of ['one', 'two']) await person.call('create', { name, command: ['cat'] })
  for (const name of ['one', 'two'])
    await person.call('changeLineage', { change: { kind: 'move', nodeId: await idOf(name), parentId: team.nodeId } })
  await person.call('changeLineage', { change: { kind: 'describe', nodeId: await idOf('two'), summary: 'half done' } })
  const before = await placesAt(person)
  const { daemon } = await instance.status()
  process.kill(daemon.pid, 'SIGKILL')
  await until(async () => (await instance.status()).daemon.pid !== daemon.pid)
  const again = await instance.rpc({}, { isPerson: true })
  expect(await placesAt(again)).toEqual(before)
  expect(before).toMatchObject([
    { label: 'one', parentId: team.nodeId },
    { label: 'team', parentId: null },
    { label: 'two', parentId: team.nodeId, summary: 'half done' },
  ])
})

async function idOf(name: string): Promise<string> {
  const { terminals } = await person.call('list', {})
  return terminals.find((one) => one.name === name)?.terminalId ?? ''
}
