/** Composes push notifications: who gets them, when, and the module that sends them, which is loaded with the first device. */

import { isTermError } from '@agentpty/protocol'
import { type Config, notifyIn, type Paths } from '@agentpty/protocol/home'
import { type Devices, pushHostsMax } from '@agentpty/protocol/page'
import type { EngineContext } from '@agentpty/server/call'
import { KnownPushes, pushesFile } from '@agentpty/server/push'
import { configPath, readConfigFile } from '@agentpty/server/state'

export interface PushesParts extends Pick<EngineContext, 'clock' | 'overview' | 'secrets'> {
  readonly paths: Pick<Paths, 'pushes' | 'configFolder'>
  readonly config: Config
  readonly devices: Devices
  readonly log: (text: string) => void
}

export function pushesOf({ paths, config, ...parts }: PushesParts): KnownPushes {
  const { clock, log } = parts
  return new KnownPushes({
    ...parts,
    store: pushesFile(paths.pushes, log),
    afterMs: secondsIn(paths.configFolder) * 1_000,
    sender: async () => {
      const { pushSender } = await import('@agentpty/mcp-http/push')
      return pushSender({ clock, allowed: new Set(hostsIn(config.pushHosts)), contact: config.pushContact })
    },
  })
}

const hostsIn = (names: string): readonly string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, pushHostsMax)

const usualSeconds = 10

/** The same time as for other notifications. With wrong settings it is the usual one, and the log has the reason already. */
function secondsIn(configFolder: string): number {
  try {
    return notifyIn(readConfigFile(configPath(configFolder)))?.after ?? usualSeconds
  } catch (error) {
    if (!isTermError(error)) throw error
    return usualSeconds
  }
}
