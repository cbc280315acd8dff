/** Puts together what environments need: the host's binary, and a folder for what they write. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Containers } from '@agentpty/engine/container'
import { containerMaker, GymEnvironments, makeEtcFolder, removePath, systemOf } from '@agentpty/gym'
import { type Clock, isTermError } from '@agentpty/protocol'
import { gymDefaults, gymIn } from '@agentpty/protocol/home'
import { configPath, readConfigFile } from '@agentpty/server/state'
import { hostProgram, packageFile } from './own-host.ts'

export interface GymPlaces {
  readonly clock: Clock
  /** The most environments that may be open together. */
  readonly environmentsMax: number
  /** For environments alone: whatever is there when a server begins is of an earlier one. */
  readonly folder: string
  /** Receives environments that could not be closed after their client disconnected. */
  readonly log: (text: string) => void
}

export async function environmentsFor({ clock, environmentsMax, folder, log }: GymPlaces): Promise<GymEnvironments> {
  await removePath(folder)
  const etc = join(folder, 'etc')
  const containers = new Containers({ clock, program: await hostProgram() })
  const makeContainer = containerMaker({
    containers,
    files: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await makeEtcFolder(etc)
      return { etc, shellScripts: packageFile('shell-integration') }
    },
  })
  return new GymEnvironments({
    clock,
    environmentsMax,
    folder,
    makeContainer,
    systemOf: (target) => systemOf(target, etc),
    openTask: async (asked, own) => {
      if (asked.task === undefined) return { spec: asked, task: null }
      // Only this part needs the module that reads tasks.
      const { openTask } = await import('@agentpty/gym')
      return openTask(asked, asked.task, { clock, own: packageFile('gym'), folder: own })
    },
    failed: (error) => log(`Environments: ${String(error)}`),
    closeContainers: () => containers.close(),
  })
}

/** Reads the limit from config.yaml; returns the default, with a line in the log, where it cannot be read. */
export function environmentsMaxIn(configFolder: string, log: (text: string) => void): number {
  try {
    return gymIn(readConfigFile(configPath(configFolder))).environmentsMax
  } catch (error) {
    if (!isTermError(error)) throw error
    log(`Environments: ${error.message} ${error.hint} At most ${gymDefaults.environmentsMax} may be open.`)
    return gymDefaults.environmentsMax
  }
}
