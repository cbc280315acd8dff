/** `agentpty agent tree`: which agent was started from which, and how they are. */

import type { Client } from '../../../../contracts/client.ts'
import { defined } from '../../../../contracts/defined.ts'
import { isTermError } from '../../../../contracts/errors.ts'
import { type Command, type CommandCall, exitCode, withClient } from '../../command.ts'
import { formatTree } from './format-tree.ts'

export const showTree: Command = {
  name: 'agent tree',
  usage: '[ID]',
  summary: 'which agent was started from which, and how they are',
  group: 'agents',
  words: [0, 1],
  completes: 'terminal',
  flags: { follow: { type: 'boolean', short: 'f', help: 'go on drawing it at each change, until you interrupt' } },
  notes: ['Terminals from which agents were started are shown, too. With an ID: that one and all below it.'],
  examples: ['agentpty agent tree', 'agentpty agent tree --follow', 'agentpty agent tree term-4 --json'],
  run: (call) =>
    withClient(call.options, async (client) => {
      if (call.flags['follow'] === true) await follow(client, call)
      else await call.options.print(await drawn(client, call))
      return exitCode.ok
    }),
}

async function drawn(client: Client, { words: [named], json }: CommandCall): Promise<string> {
  const nodeId = named === undefined ? undefined : await terminalOf(client, named)
  const [{ nodes, rollUps }, { agents }] = await Promise.all([
    client.call('lineage', defined({ nodeId })),
    client.call('agents', {}),
  ])
  return json ? `${JSON.stringify({ nodes, rollUps })}\n` : formatTree(nodes, agents, rollUps)
}

/** Nodes are known by the ids of terminals, not by their names. */
async function terminalOf(client: Client, named: string): Promise<string> {
  const { terminals } = await client.call('list', {})
  return terminals.find(({ terminalId, name }) => terminalId === named || name === named)?.terminalId ?? named
}

/** Draws at each change of a turn, and when terminals come and go; programs get a line for each picture that is new. */
async function follow(client: Client, call: CommandCall): Promise<void> {
  const { options, json } = call
  const over = new AbortController()
  const stop = options.onInterrupt(() => over.abort())
  let last = ''
  let drawing = Promise.resolve()
  const failures: unknown[] = []
  const fail = (error: unknown) => {
    if (!over.signal.aborted) failures.push(error)
    over.abort()
  }
  const draw = async () => {
    const text = await drawn(client, call)
    if (text === last || over.signal.aborted) return
    last = text
    await options.print(
      options.terminal === null || json ? text : `\x1b[H\x1b[2J${text}\nCtrl+C leaves; agents go on.\n`,
    )
  }
  // One after the other, and at most one that has not begun: it shows what comes until then.
  let isDue = false
  const redraw = () => {
    if (isDue) return
    isDue = true
    const next = () => {
      isDue = false
      return draw()
    }
    drawing = drawing.then(next).catch(fail)
  }
  await watchTurns(client, over.signal, { changed: redraw, fail }).catch(fail)
  await drawing
  stop()
  if (failures.length > 0) throw failures[0]
}

interface Watcher {
  readonly changed: () => void
  readonly fail: (error: unknown) => void
}

/** Resolves when the signal aborts. */
async function watchTurns(client: Client, signal: AbortSignal, { changed, fail }: Watcher): Promise<void> {
  const followed = new Set<string>()
  const followOne = async (terminalId: string) => {
    for await (const event of client.follow(terminalId, { turn: true, signal }))
      if (event.type === 'turn' || event.type === 'exit') changed()
  }
  for await (const { terminals } of client.watch({ signal })) {
    changed()
    for (const { terminalId } of terminals) {
      if (followed.has(terminalId)) continue
      followed.add(terminalId)
      // When it is closed the next event of the watch says so.
      const isGone = (error: unknown) => isTermError(error) && error.code === 'session_not_found'
      followOne(terminalId).catch((error: unknown) => (isGone(error) ? undefined : fail(error)))
    }
  }
}
