/** Access of commands to the files of their instance, without the daemon. Each part is loaded when a command needs it. */

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import { invalidInput } from '@agentpty/protocol'
import { instanceVariables } from '@agentpty/protocol/home'
import type { RegistrationRequest } from '@agentpty/protocol/setup'
import { configPath, httpToken, readConfigFile } from '@agentpty/server/state'
import { ownerOnly } from './open-browser.ts'
import type { OwnConnections } from './own-connection.ts'
import type { OwnProcess } from './own-process.ts'

/** The files of one process’s instance. */
export class OwnFiles {
  readonly #own: OwnProcess
  readonly #connections: OwnConnections

  constructor(own: OwnProcess, connections: OwnConnections) {
    this.#own = own
    this.#connections = connections
  }

  /** Loaded only when needed: its modules take longer to load than everything an MCP client waits for. */
  async config() {
    const { explainConfig, readConfig } = await import('@agentpty/protocol/home')
    const { facts, paths } = this.#own
    const file = () => readConfigFile(configPath(paths.configFolder))
    return { explain: () => explainConfig(facts.env, file()), read: () => readConfig(facts.env, file()) }
  }

  async audit() {
    const { auditRoom } = await import('@agentpty/server/audit')
    return auditRoom({ folder: this.#own.paths.audit, clock: systemClock, isoTime })
  }

  async registrar({ http, toolsets }: RegistrationRequest) {
    const { registrar, offeredServer } = await import('@agentpty/server/registration')
    const { facts, home, paths } = this.#own
    return registrar({
      folders: {
        home,
        config: facts.env['XDG_CONFIG_HOME'] || join(home, '.config'),
        isMac: process.platform === 'darwin',
        cwd: facts.cwd(),
      },
      searchPath: facts.env['PATH'] ?? '',
      server: offeredServer(
        { command: ownCommand(facts), env: instanceVariables(facts.env) },
        toolsets,
        http ? await this.#httpAddress() : null,
      ),
      record: join(paths.stateFolder, 'registrations.json'),
    })
  }

  /** All of them, closed to callers with the token of a scope. */
  forOwner() {
    const { paths } = this.#own
    return ownerOnly(
      {
        registrar: (request: RegistrationRequest) => this.registrar(request),
        httpToken: () => httpToken(paths.token),
        audit: () => this.audit(),
        recordings: () => this.#recordings(),
        undo: async () =>
          (await import('@agentpty/server/effects')).undoRoom({ folder: paths.undo, clock: systemClock }),
        scopes: () => this.#scopes(),
        gym: () => this.#gym(),
      },
      () => this.#isOwner(),
    )
  }

  /** Returns whether the caller has no token, or the user's own. */
  #isOwner(): boolean {
    const { token, paths } = this.#own
    return token === undefined || token === httpToken(paths.token)
  }

  async #scopes() {
    const { scopeTokens } = await import('@agentpty/server/scopes')
    return scopeTokens(this.#own.paths.scopes, systemClock, this.#own.callerName)
  }

  async #recordings() {
    const { recordingsRoom } = await import('@agentpty/server/recordings')
    const { fontFiles } = await import('@agentpty/server/terminals')
    const { packageFile } = await import('./own-host.ts')
    const { recordings, configFolder } = this.#own.paths
    return recordingsRoom(recordings, {
      fonts: () => fontFiles(packageFile('dist/fonts'), configFolder),
      page: () => readFileSync(packageFile('dist/player.html'), 'utf8'),
    })
  }

  async #gym() {
    return (await import('./own-gym.ts')).ownGym(this.#own.paths.configFolder, {
      scopes: () => this.#scopes(),
      cwd: this.#own.facts.cwd(),
      connectAs: (token) => this.#connections.rpc({ mayStart: true, token }),
    })
  }

  /** Errors: `invalid_input` when HTTP is off. */
  async #httpAddress() {
    const client = await this.#connections.rpc({ mayStart: true })
    const { http } = await client.control.status()
    await client.close()
    const { httpPort } = (await this.config()).read()
    if (http !== null) return { url: http.url, token: httpToken(this.#own.paths.token), wantedPort: httpPort ?? 0 }
    const hint = 'Set httpPort in config.yaml, then: agentpty stop. Without --http a client starts agentpty by itself.'
    throw invalidInput('HTTP is off: there is no address to register.', hint)
  }
}

/** The command by which a client starts us: the one we were started by, so that it gets the same agentpty. */
function ownCommand({ script: entry, env }: OwnProcess['facts']): readonly string[] {
  if (entry.includes(`${sep}_npx${sep}`)) return ['npx', '-y', 'agentpty']
  const onPath = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'agentpty'))
  const isOurs = (file: string) => existsSync(file) && realpathSync(file) === realpathSync(entry)
  return onPath.some(isOurs) ? ['agentpty'] : [process.execPath, realpathSync(entry)]
}
