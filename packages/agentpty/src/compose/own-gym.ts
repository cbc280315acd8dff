/** Composes what the command line does with tasks. */

import { systemClock } from '@agentpty/engine/system-clock'
import { gymRoom, type Seats } from '@agentpty/gym'
import type { GymRoom } from '@agentpty/protocol/gym'
import { adaptersIn } from '@agentpty/protocol/home'
import { configPath, readConfigFile } from '@agentpty/server/state'
import { packageFile } from './own-host.ts'

/** `configFolder`: where the user's own agents are written. */
export function ownGym(configFolder: string, seats: Omit<Seats, 'agentNames'>): GymRoom {
  const agentNames = () => adaptersIn(readConfigFile(configPath(configFolder))).map(({ name }) => name)
  return gymRoom({ clock: systemClock, own: packageFile('gym'), seats: { ...seats, agentNames } })
}
