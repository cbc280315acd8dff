/** A daemon without processes: the real engine and the real client on fake ports. */

import { handlers } from '../../packages/agentpty/src/compose/handlers.ts'
import type { AgentStore } from '../../packages/agentpty/src/contracts/agents/kept-agents.ts'
import type { InboxStore } from '../../packages/agentpty/src/contracts/agents/messages.ts'
import type { CallContext } from '../../packages/agentpty/src/contracts/call/call-context.ts'
import type { Config } from '../../packages/agentpty/src/contracts/home/config.ts'
import type { Clock } from '../../packages/agentpty/src/contracts/ports.ts'
import { Host } from '../../packages/agentpty/src/engine/host/host.ts'
import type { Session } from '../../packages/agentpty/src/engine/session/session.ts'
import { messengerOf } from '../../packages/agentpty/src/server/agents/agent-terminals.ts'
import { makeAgents } from '../../packages/agentpty/src/server/agents/agents.ts'
import { memoryStore } from '../../packages/agentpty/src/server/agents/memory-store.ts'
import { Approvals } from '../../packages/agentpty/src/server/approvals/approvals.ts'
import { LocalClient, privateParts } from '../../packages/agentpty/src/server/local-client.ts'
import { TerminalsOverview } from '../../packages/agentpty/src/server/needs/overview.ts'
import { memoryRunStore } from '../../packages/agentpty/src/server/pipelines/memory-run-store.ts'
import { Runs } from '../../packages/agentpty/src/server/pipelines/runs.ts'
import { OpenQuestions } from '../../packages/agentpty/src/server/terminals/open-questions.ts'
import type { FakePtyHost } from '../../packages/agentpty/src/testing/index.ts'
import { noEnvironments } from '../../packages/agentpty/src/testing/no-environments.ts'
import { noWalls } from '../../packages/agentpty/src/testing/no-walls.ts'
import { ProcessClock } from './process-clock.ts'

export interface DaemonOptions {
  readonly clock: Clock
  readonly ptyHost: FakePtyHost
  readonly nextId: () => number
  readonly config: Config
  /** What outlives it. */
  readonly messages: InboxStore
}

/** The environment of every caller: nothing of this machine may matter. */
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
      environments: noEnvironments,
      scopeNamed: () => null,
      devices: null,
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

  /** Messages are typed from now on: it has its terminals. */
  deliverMessages(): void {
    this.#deliver()
  }

  /** Of a process that has been killed nothing is kept any more. */
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

  /** As SIGKILL ends a process: without notice. */
  kill(): void {
    this.isAlive = false
    this.clock.stop()
  }
}
