/** Composes what the command line does with tasks. */

import type { GymRoom } from '../contracts/gym/gym-room.ts'
import { adaptersIn } from '../contracts/home/config.ts'
import { systemClock } from '../engine/host/system-clock.ts'
import type { Seats } from '../gym/run/agent-player.ts'
import { gymRoom } from '../gym/run/gym-room.ts'
import { configPath, readConfigFile } from '../server/state/index.ts'
import { packageFile } from './own-host.ts'

/** `configFolder`: where the user's own agents are written. */
export function ownGym(configFolder: string, seats: Omit<Seats, 'agentNames'>): GymRoom {
  const agentNames = () => adaptersIn(readConfigFile(configPath(configFolder))).map(({ name }) => name)
  return gymRoom({ clock: systemClock, own: packageFile('gym'), seats: { ...seats, agentNames } })
}
