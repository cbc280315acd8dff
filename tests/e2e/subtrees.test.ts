/** Agents with all their processes: paused, resumed and ended, including processes that hide. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import { expect, test } from 'vitest'
import { type Instance, isAlive, until } from '../harness/instance.ts'
import { eachWithPerson } from './each-with-person.ts'

let instance: Instance
let person: WireClient
eachWithPerson((fresh) => {
  instance = fresh.instance
  person = fresh.person
})

/** An agent that leaves a server behind, like Codex: in its own session, without a parent and without an environment. */
async function withServer(): Promise<{ readonly terminalId: string; readonly pid: number; readonly server: number }> {
  const file = join(instance.user, 'agent.sh')
  const pidFile = join(instance.user, 'server.pid')
  writeFileSync(
    file,
    `setsid --fork env -i sh -c 'echo $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 1000' </dev/null >/dev/null 2>&1\ncat\n`,
  )
  const { terminalId, pid } = await person.call('create', { command: ['sh', file], waitFor: 'none' })
  const pidIn = () => {
    try {
      return Number(readFileSync(pidFile, 'utf8'))
    } catch {
      // Not written yet.
      return 0
    }
  }
  await until(() => pidIn() > 0)
  return { terminalId, pid, server: pidIn() }
}

const stateOf = (pid: number) => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]

test('an agent is ended with its processes and with the server that it left behind', async () => {
  const { terminalId, pid, server } = await withServer()
  const inside = await instance.rpcFrom(pid)
  const child = await inside.call('spawn', { agent: 'cat', waitTimeoutMs: 0 })
  await person.call('close', { terminalId, below: true })
  expect((await person.call('list', {})).terminals).toEqual([])
  for (const one of [pid, server, child.terminal?.pid ?? 0]) await until(() => !isAlive(one))
})

test('a pause stops all its processes, and they continue where they were', async () => {
  const { terminalId, pid, server } = await withServer()
  const child = await (await instance.rpcFrom(pid)).call('create', { command: ['cat'] })
  const all = [pid, server, child.pid]
  expect((await instance.cli('agent', 'pause', terminalId)).stdout).toMatch(/^Paused: 2 terminals, \d+ processes\.\n$/)
  for (const one of all) await until(() => stateOf(one) === 'T')
  const { terminals } = await person.call('list', {})
  expect(terminals.map(({ isPaused, state }) => ({ isPaused, state }))).toEqual([
    { isPaused: true, state: 'busy' },
    { isPaused: true, state: 'busy' },
  ])
  expect((await instance.cli('agent', 'continue', terminalId)).code).toBe(0)
  for (const one of all) await until(() => stateOf(one) !== 'T')
  expect(
    await person.call('send', { terminalId, text: 'is it there', waitFor: { text: 'is it there' } }),
  ).toMatchObject({
    outcome: 'met',
  })
  expect((await person.call('list', {})).terminals[0]).not.toHaveProperty('isPaused')
})

test('a shell paused with its job continues with it in the foreground', async () => {
  const { terminalId } = await person.call('create', { shell: '/bin/bash' })
  await person.call('send', { terminalId, text: 'cat', waitFor: 'output' })
  await person.call('pause', { terminalIds: [terminalId], paused: true })
  await person.call('pause', { terminalIds: [terminalId], paused: false })
  const { output } = await person.call('send', { terminalId, text: 'still here', waitFor: { text: 'still here' } })
  expect(output).not.toContain('Stopped')
})

test('a paused agent is ended like any other', async () => {
  const { terminalId, pid, server } = await withServer()
  await person.call('pause', { terminalIds: [terminalId], paused: true })
  await person.call('close', { terminalId })
  for (const one of [pid, server]) await until(() => !isAlive(one))
})

test('a child ends nothing above it, by no verb and not by closing all', async () => {
  const top = await person.call('create', { command: ['cat'] })
  const middle = await (await instance.rpcFrom(top.pid)).call('create', { command: ['cat'] })
  const low = await (await instance.rpcFrom(middle.pid)).call('create', { command: ['cat'] })
  const child = await instance.rpcFrom(low.pid)
  for (const { terminalId } of [top, middle]) {
    const ways = [
      () => child.call('close', { terminalId, force: true }),
      () => child.call('pause', { terminalIds: [terminalId], paused: true, force: true }),
      () => child.call('signal', { terminalId, signal: 'SIGKILL' }),
      () => child.call('stopLineage', { nodeId: terminalId, nodes: 'remove' }),
      () => child.control.stop({ all: true }),
    ]
    for (const way of ways) await expect(way()).rejects.toMatchObject({ code: 'own_terminal' })
  }
  const { terminals } = await person.call('list', {})
  expect(terminals.filter(({ isActive }) => isActive)).toHaveLength(3)
  const { nodes, rollUps } = await person.call('lineage', {})
  expect(nodes).toHaveLength(3)
  expect(rollUps[nodes[0]?.nodeId ?? '']).toMatchObject({ below: 2 })
})
