import type { Handler } from '../../call/index.ts'
import { assertNotOwnTree, withBelow } from '../steps/own-tree.ts'

/** The highest first, so that none can open another one meanwhile; they go on in the other order. */
export const pause: Handler<'pause'> = async (
  engine,
  { terminalIds, paused, below = true, force = false },
  context,
) => {
  const named = terminalIds.map((id) => engine.host.find(id))
  if (paused) assertNotOwnTree(engine, named, context, { what: 'Pausing it', force })
  const held = new Map<string, number>()
  // What was being opened while they were held is held as well.
  for (let found = more(); found.length > 0; found = more())
    for (const session of paused ? found.toReversed() : found)
      held.set(session.info.id, await engine.host.hold(session, paused))
  return { terminals: [...held.keys()], processes: [...held.values()].reduce((sum, one) => sum + one, 0) }

  function more() {
    const all = below ? withBelow(engine, named) : named
    return all.filter(({ info, exit }) => exit === null && !held.has(info.id))
  }
}
