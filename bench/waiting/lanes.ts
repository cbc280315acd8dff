/** Plays several scenarios at once. Most of a scenario is waiting, so two cores play more than two. */

import type { Scenario } from './scenario.ts'

/** Plays one scenario, in a lane of its own. */
export type PlayIn = (lane: number, index: number) => Promise<void>

/** Two scenarios of one program, or with one of the servers that they name, may be in each other's way. */
function resourcesOf({ program, services }: Scenario): readonly string[] {
  return [`program ${program}`, ...services.map((service) => `service ${service}`)]
}

/** Resolves when all have been played. Each lane takes the first scenario that is in no other's way. */
export async function playInLanes(scenarios: readonly Scenario[], lanes: number, play: PlayIn): Promise<void> {
  const waiting = scenarios.map((scenario, index) => ({ index, resources: resourcesOf(scenario) }))
  const inUse = new Set<string>()
  const playing = new Map<number, Promise<void>>()
  const free = Array.from({ length: lanes }, (_, lane) => lane)
  while (waiting.length > 0 || playing.size > 0) {
    const at = free.length === 0 ? -1 : waiting.findIndex(({ resources }) => !resources.some((one) => inUse.has(one)))
    if (at < 0) {
      await Promise.race(playing.values())
      continue
    }
    const [{ index, resources }] = waiting.splice(at, 1) as [(typeof waiting)[number]]
    const lane = free.pop() as number
    for (const one of resources) inUse.add(one)
    const played = play(lane, index).finally(() => {
      for (const one of resources) inUse.delete(one)
      playing.delete(lane)
      free.push(lane)
    })
    playing.set(lane, played)
  }
}
