/** `agentpty agent tree`: which agent was started from which, and how they are. */

import { type Client, defined, isTermError, type Size, TermError } from '@agentpty/protocol'
import { type Command, type CommandCall, exitCode, withClient } from '../../command.ts'
import { readStates } from '../../terminal-states.ts'
import { untilLeft } from '../../until-left.ts'
import { formatTree } from './format-tree.ts'

export const showTree: Command = {
  name: 'agent tree',
  usage: '[ID]',
  summary: 'show which agent started which, with their states',
  group: 'agents',
  words: [0, 1],
  completes: 'terminal',
  flags: { follow: { type: 'boolean', short: 'f', help: 'draw it again at each change; q leaves' } },
  notes: ['Terminals from which agents were started are included. With an ID: only this terminal and all below it.'],
  examples: ['agentpty agent tree', 'agentpty agent tree --follow', 'agentpty agent tree term-4 --json'],
  run: (call) => show(call, call.flags['follow'] === true),
}

/** The same command under a shorter name, and live on a terminal. */
export const watchTree: Command = {
  ...showTree,
  name: 'tree',
  summary: 'show live which agent started which, with their states',
  flags: { once: { type: 'boolean', help: 'draw it once and leave' } },
  notes: ['q leaves; the agents keep running. In a pipe the tree is drawn once.'],
  examples: ['agentpty tree', 'agentpty tree term-4', 'agentpty tree --once'],
  run: (call) => show(call, call.options.terminal !== null && !call.json && call.flags['once'] !== true),
}

function show(call: CommandCall, isLive: boolean): Promise<number> {
  return withClient(call.options, async (client) => {
    if (isLive) await follow(client, call)
    else await call.options.print(await drawn(client, call))
    return exitCode.ok
  })
}

async function drawn(client: Client, { words: [named], json, options }: CommandCall): Promise<string> {
  const nodeId = named === undefined ? undefined : await terminalOf(client, named)
  const lineage = client.call('lineage', defined({ nodeId }))
  if (json) {
    const { nodes, rollUps } = await lineage
    return `${JSON.stringify({ nodes, rollUps })}\n`
  }
  const [{ nodes, rollUps }, { agents }, { states }] = await Promise.all([
    lineage,
    client.call('agents', {}),
    readStates(client),
  ])
  return formatTree({ nodes, agents, states, rollUps, cols: options.terminal?.size().cols })
}

/** Nodes are known by the ids of terminals, not by their names. Errors: `session_not_found`. */
async function terminalOf(client: Client, named: string): Promise<string> {
  const [{ terminals }, { nodes }] = await Promise.all([client.call('list', {}), client.call('lineage', {})])
  const open = terminals.find(({ terminalId, name }) => terminalId === named || name === named)?.terminalId
  // A terminal that is gone is known by its id alone.
  const isNode = nodes.some(({ nodeId, terminalId }) => nodeId === named || terminalId === named)
  if (open !== undefined || isNode) return open ?? named
  throw new TermError(
    'session_not_found',
    `Nothing in the tree is called "${named}".`,
    'All of it: agentpty tree --once',
  )
}

/** Draws at each change of a turn and of what needs a person, and when terminals come and go; programs get a line for each picture that is new. */
async function follow(client: Client, call: CommandCall): Promise<void> {
  const { options, json } = call
  const over = new AbortController()
  const stop = untilLeft(options, () => over.abort())
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
    await options.print(options.terminal === null || json ? text : pictureOf(text, options.terminal.size()))
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
  const stopResize = options.terminal?.onResize(() => {
    last = ''
    redraw()
  })
  await watchTurns(client, over.signal, { changed: redraw, fail }).catch(fail)
  await drawing
  stopResize?.()
  stop()
  if (failures.length > 0) throw failures[0]
}

/** Cuts the text to the window: lines that wrap or scroll away would remain behind the next picture. */
function pictureOf(text: string, { cols, rows }: Size): string {
  const lines = text.trimEnd().split('\n')
  const roomFor = Math.max(1, rows - 3)
  const shown =
    lines.length <= roomFor ? lines : [...lines.slice(0, roomFor - 1), `… ${lines.length - roomFor + 1} more`]
  return `\x1b[H\x1b[2J${shown.map((line) => `${line.slice(0, cols)}\n`).join('')}\nq leaves; agents go on.\n`
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
  const followNeeds = async () => {
    for await (const { needs } of client.watch({ overview: true, signal })) if (needs !== null) changed()
  }
  followNeeds().catch(fail)
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
