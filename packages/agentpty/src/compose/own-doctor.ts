/** Composes the doctor, and the policy of the command line. Their modules are loaded when a command needs them. */

import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { build, version } from '@agentpty/protocol'
import type { DoctorOptions } from '@agentpty/protocol/setup'
import { configPath, readConfigFile } from '@agentpty/server/state'
import type { OwnConnections } from './own-connection.ts'
import type { OwnFiles } from './own-files.ts'
import type { OwnProcess } from './own-process.ts'

/** The files in which rules of the policy may be written. */
const policyPlaces = ({ home, paths }: OwnProcess) => ({
  configPath: configPath(paths.configFolder),
  home,
  guarded: paths.home === null ? [] : [paths.home],
})

export async function ownPolicy(own: OwnProcess) {
  const { policyRoom, watchPolicyRules } = await import('@agentpty/server/policy')
  return policyRoom(watchPolicyRules(policyPlaces(own), systemClock), async () =>
    (await import('./offered-tools.ts')).offeredTools(),
  )
}

export async function findAgents({ environment, paths }: OwnProcess) {
  const [{ findAgents: find }, { explainAdapters }] = await Promise.all([
    import('@agentpty/server/doctor'),
    import('@agentpty/protocol/home'),
  ])
  const adapters = explainAdapters(readConfigFile(configPath(paths.configFolder)))
  return find(adapters, { env: environment, clock: systemClock })
}

interface DoctorParts {
  readonly own: OwnProcess
  readonly connections: OwnConnections
  readonly files: OwnFiles
}

export async function* ownDoctor({ answerMs }: DoctorOptions, { own, connections, files }: DoctorParts) {
  const [{ examine }, { hostProgram }, { loadPolicyRules }, { tryBubblewrap }, config] = await Promise.all([
    import('@agentpty/server/doctor'),
    import('./own-host.ts'),
    import('@agentpty/server/policy'),
    import('@agentpty/server/sandbox'),
    files.config(),
  ])
  const { environment, facts, home, paths } = own
  const script = realpathSync(facts.script)
  yield* examine({
    paths,
    home,
    userId: facts.userId,
    env: environment,
    version,
    build,
    clock: systemClock,
    answerMs,
    ownScript: script.includes(`${sep}_npx${sep}`) ? null : script,
    hostProgram,
    explainConfig: config.explain,
    policyFiles: () => loadPolicyRules([facts.cwd()], policyPlaces(own)).files,
    audit: await files.audit(),
    trySandbox: () => tryBubblewrap(facts.userId === 0),
    connect: (request) => connections.doctor(request),
    findAgents: () => findAgents(own),
    registered: async () => (await files.registrar({ http: false, toolsets: null })).registered(),
  })
}
