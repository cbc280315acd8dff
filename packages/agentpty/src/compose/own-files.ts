/** Access of commands to the files of their instance, without the daemon. Each part is loaded when a command needs it. */

import { homedir } from 'node:os'
import { join } from 'node:path'
import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import { invalidInput } from '@agentpty/protocol'
import { instanceVariables } from '@agentpty/protocol/home'
import type { RegistrationRequest } from '@agentpty/protocol/setup'
import { configPath, httpToken, readConfigFile } from '@agentpty/server/state'
import { ownerOnly } from './open-browser.ts'
import { ownCommand } from './own-command.ts'
import { connectRpc } from './own-connection.ts'
import { ownName, ownToken, paths } from './own-process.ts'

/** Loaded only when needed: its modules take longer to load than everything an MCP client waits for. */
export async function ownConfig() {
  const { explainConfig, readConfig } = await import('@agentpty/protocol/home')
  const file = () => readConfigFile(configPath(paths.configFolder))
  return { explain: () => explainConfig(process.env, file()), read: () => readConfig(process.env, file()) }
}

export async function ownAudit() {
  const { auditRoom } = await import('@agentpty/server/audit')
  return auditRoom({ folder: paths.audit, clock: systemClock, isoTime })
}

async function ownUndo() {
  const { undoRoom } = await import('@agentpty/server/effects')
  return undoRoom({ folder: paths.undo, clock: systemClock })
}

async function ownScopes() {
  const { scopeTokens } = await import('@agentpty/server/scopes')
  return scopeTokens(paths.scopes, systemClock, ownName())
}

async function ownGym() {
  return (await import('./own-gym.ts')).ownGym(paths.configFolder, {
    scopes: ownScopes,
    cwd: process.cwd(),
    connectAs: (token) => connectRpc({ mayStart: true, token }),
  })
}

/** Errors: `invalid_input` when HTTP is off. */
async function httpAddress() {
  const client = await connectRpc({ mayStart: true })
  const { http } = await client.control.status()
  await client.close()
  const { httpPort } = (await ownConfig()).read()
  if (http !== null) return { url: http.url, token: httpToken(paths.token), wantedPort: httpPort ?? 0 }
  const hint = 'Set httpPort in config.yaml, then: agentpty stop. Without --http a client starts agentpty by itself.'
  throw invalidInput('HTTP is off: there is no address to register.', hint)
}

export async function ownRegistrar({ http, toolsets }: RegistrationRequest) {
  const { registrar, offeredServer } = await import('@agentpty/server/registration')
  const home = homedir()
  return registrar({
    folders: {
      home,
      config: process.env['XDG_CONFIG_HOME'] || join(home, '.config'),
      isMac: process.platform === 'darwin',
      cwd: process.cwd(),
    },
    searchPath: process.env['PATH'] ?? '',
    server: offeredServer(
      { command: ownCommand(), env: instanceVariables(process.env) },
      toolsets,
      http ? await httpAddress() : null,
    ),
    record: join(paths.stateFolder, 'registrations.json'),
  })
}

/** Returns whether the caller has no token, or the user's own. */
function isOwner(): boolean {
  const token = ownToken()
  return token === undefined || token === httpToken(paths.token)
}

/** The files, closed to callers with the token of a scope. */
export const ownFiles = ownerOnly(
  {
    registrar: ownRegistrar,
    httpToken: () => httpToken(paths.token),
    audit: ownAudit,
    recordings: async () => (await import('./own-recordings.ts')).ownRecordings(paths),
    undo: ownUndo,
    scopes: ownScopes,
    gym: ownGym,
  },
  isOwner,
)
