/** A daemon without processes: the real engine and the real client on fake ports. */

import { Host } from '@agentpty/engine/host'
import type { Session } from '@agentpty/engine/session'
import type { Clock } from '@agentpty/protocol'
import type { AgentStore, InboxStore } from '@agentpty/protocol/agents'
import type { CallContext } from '@agentpty/protocol/call'
import type { Config } from '@agentpty/protocol/home'
import { type FakePtyHost, noEnvironments, noGates, noWalls } from '@agentpty/protocol/testing'
import { LocalClient, privateParts } from '@agentpty/server'
import {
  Approvals,
  makeAgents,
  memoryRunStore,
  memoryStore,
  messengerOf,
  OpenQuestions,
  Runs,
  TerminalsOverview,
} from '@agentpty/server/testing'
import { handlers } from '../../packages/agentpty/src/compose/handlers.ts'
import { ProcessClock } from './process-clock.ts'

export interface DaemonOptions {
  readonly clock: Clock
  readonly ptyHost: FakePtyHost
  readonly nextId: () => number
  readonly config: Config
  /** The state that outlives it. */
  readonly messages: InboxStore
}

/** The environment of every caller, independent of this machine. */
export const callerEnv = { SHELL: '/bin/sh', PATH: '/bin', LANG: 'C.UTF-8' }

export class Daemon {
  readonly clock: ProcessClock
  readonly host: Host
  readonly client: LocalClient
  isAlive = true
  readonly #deliver: () => void

  constructor({ clock, ptyHost, nextId, config, messages }: DaemonOptions) {
    this.clock = new ProcessClock(clock)
    this.host = new Host({ clock: this.clock, pty: ptyHost.connect(), version: '0.0.0', nextId, config })
    const questions = new OpenQuestions(this.clock)
    let nonces = 0
    const newNonce = () => `${++nonces}`.padStart(8, '0')
    const agents = makeAgents(this.clock, { store: this.#storeOn(messages), newNonce })
    const approvals = new Approvals(this.clock)
    const engine = {
      host: this.host,
      clock: this.clock,
      questions,
      approvals,
      overview: new TerminalsOverview({ clock: this.clock, host: this.host, approvals, questions, agents }),
      secrets: null,
      agents,
      pipelines: new Runs({ clock: this.clock, store: memoryRunStore(), failed: () => {} }),
      walls: noWalls,
      gates: noGates,
      environments: noEnvironments,
      scopeNamed: () => null,
      devices: null,
      pushes: null,
      journal: null,
      recordings: null,
      shellScripts: '/scripts',
      fonts: () => [],
      home: null,
      config,
    }
    const clientOf = (caller: CallContext) => new LocalClient(engine, caller, privateParts(handlers))
    this.client = clientOf({ client: 'simulation', cwd: '/', env: callerEnv })
    this.#deliver = () => agents.deliverMessages(messengerOf(engine, clientOf))
  }

  /** To be called once it has its terminals; messages are typed from then on. */
  deliverMessages(): void {
    this.#deliver()
  }

  /** Nothing is stored of a process that has been killed. */
  #storeOn(messages: InboxStore): AgentStore {
    return {
      ...memoryStore(),
      loadInboxes: () => messages.loadInboxes(),
      saveInbox: (inbox) => {
        if (this.isAlive) messages.saveInbox(inbox)
      },
      dropInbox: (terminalId) => {
        if (this.isAlive) messages.dropInbox(terminalId)
      },
    }
  }

  /** Null when there is no such session. */
  find(id: string): Session | null {
    return this.host.sessions.find(({ info }) => info.id === id) ?? null
  }

  /** Ends it without warning, like SIGKILL. */
  kill(): void {
    this.isAlive = false
    this.clock.stop()
  }
}
