/** Composes the doctor, and the policy of the command line. Their modules are loaded when a command needs them. */

import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { sep } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { build, version } from '@agentpty/protocol'
import type { DoctorOptions } from '@agentpty/protocol/setup'
import { configPath, readConfigFile } from '@agentpty/server/state'
import { connectDoctor } from './own-connection.ts'
import { ownAudit, ownConfig, ownRegistrar } from './own-files.ts'
import { ownEnvironment, paths, userId } from './own-process.ts'

/** The files in which rules of the policy may be written. */
const policyPlaces = {
  configPath: configPath(paths.configFolder),
  home: homedir(),
  guarded: paths.home === null ? [] : [paths.home],
}

export async function ownPolicy() {
  const [{ policyRoom, watchPolicyRules }, { setFlagsFromString }] = await Promise.all([
    import('@agentpty/server/policy'),
    import('node:v8'),
  ])
  // In a process this short, TurboFan costs more than it gains: it delays single lines by milliseconds.
  setFlagsFromString('--no-opt')
  return policyRoom(watchPolicyRules(policyPlaces, systemClock), async () =>
    (await import('./offered-tools.ts')).offeredTools(),
  )
}

export async function findAgents() {
  const [{ findAgents: find }, { explainAdapters }] = await Promise.all([
    import('@agentpty/server/doctor'),
    import('@agentpty/protocol/home'),
  ])
  const adapters = explainAdapters(readConfigFile(configPath(paths.configFolder)))
  return find(adapters, { env: ownEnvironment(), clock: systemClock })
}

export async function* ownDoctor({ answerMs }: DoctorOptions) {
  const [{ examine }, { hostProgram }, { loadPolicyRules }, { tryBubblewrap }, config] = await Promise.all([
    import('@agentpty/server/doctor'),
    import('./own-host.ts'),
    import('@agentpty/server/policy'),
    import('@agentpty/server/sandbox'),
    ownConfig(),
  ])
  const script = realpathSync(process.argv[1] ?? '')
  yield* examine({
    paths,
    home: homedir(),
    userId,
    env: ownEnvironment(),
    version,
    build,
    clock: systemClock,
    answerMs,
    ownScript: script.includes(`${sep}_npx${sep}`) ? null : script,
    hostProgram,
    explainConfig: config.explain,
    policyFiles: () => loadPolicyRules([process.cwd()], policyPlaces).files,
    audit: await ownAudit(),
    trySandbox: () => tryBubblewrap(userId === 0),
    connect: connectDoctor,
    findAgents,
    registered: async () => (await ownRegistrar({ http: false, toolsets: null })).registered(),
  })
}
