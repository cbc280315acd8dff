/** An engine with its client, whose terminals and time belong to the test. */

import assert from 'node:assert/strict'
import { Host } from '@agentpty/engine/host'
import { defined, type Stop } from '@agentpty/protocol'
import type { TerminalRecords } from '@agentpty/protocol/audit'
import type { CallContext, Guard } from '@agentpty/protocol/call'
import { configDefaults } from '@agentpty/protocol/home'
import type { KeptRecordings } from '@agentpty/protocol/recording'
import {
  FakeClock,
  type FakePty,
  FakePtyHost,
  type FakePtyHostOptions,
  noEnvironments,
  noGates,
  noWalls,
} from '@agentpty/protocol/testing'
import { messengerOf } from './agents/agent-terminals.ts'
import { type AgentsOptions, makeAgents } from './agents/agents.ts'
import { Approvals } from './approvals/approvals.ts'
import type { Handlers } from './call/index.ts'
import { type EngineContext, Pipeline } from './call/pipeline.ts'
import { TerminalsOverview } from './needs/overview.ts'
import { memoryRunStore } from './pipelines/run-files.ts'
import { Runs } from './pipelines/runs.ts'
import { LocalClient, privateParts, type ServerParts, serverHandlers } from './server.ts'
import { OpenQuestions } from './terminals/open-questions.ts'

export interface FakeEngine {
  readonly clock: FakeClock
  readonly approvals: Approvals
  readonly client: LocalClient
  clientOf(caller: Partial<CallContext>): LocalClient
  /** The terminal of the program that was started as the n-th, from 1 on. */
  pty(number: number): FakePty
}

const caller: CallContext = { client: 'test', cwd: '/', env: { SHELL: '/bin/sh' } }

export function openFakeEngine(
  options: FakePtyHostOptions = {},
  guardsOf: (engine: EngineContext) => readonly Guard[] = () => [],
  more: Partial<ServerParts> &
    Pick<AgentsOptions, 'adapters' | 'store'> & {
      readonly journal?: TerminalRecords
      readonly recordings?: KeptRecordings
    } = {},
): FakeEngine {
  const clock = new FakeClock()
  const ptyHost = new FakePtyHost(clock, options)
  let last = 0
  const nextId = () => ++last
  const config = { ...configDefaults, logBytes: 1_000_000, sessionsMax: 10, exitedKeptMs: 60_000 }
  // The test waits for the contents of transcripts, because files are read in real time.
  const agents = makeAgents(
    clock,
    defined({ adapters: more.adapters, store: more.store, lookMs: Number.POSITIVE_INFINITY }),
  )
  const { tokensOf } = agents
  const host = new Host({ clock, pty: ptyHost.connect(), version: '1.2.3', nextId, config, tokensOf })
  const questions = new OpenQuestions(clock)
  const approvals = new Approvals(clock)
  const engine = {
    host,
    clock,
    questions,
    approvals,
    overview: new TerminalsOverview({ clock, host, approvals, questions, agents }),
    agents,
    pipelines: new Runs({ clock, store: memoryRunStore(), failed: (error) => assert.fail(String(error)) }),
    secrets: null,
    walls: noWalls,
    gates: noGates,
    environments: noEnvironments,
    devices: null,
    pushes: null,
    scopeNamed: () => null,
    journal: more.journal ?? null,
    recordings: more.recordings ?? null,
    shellScripts: '/scripts',
    fonts: () => [],
    home: null,
    config,
  }
  // The verbs of the gym have none here.
  const handlers = serverHandlers as unknown as Handlers
  const parts = { ...privateParts(handlers), ...more, pipeline: new Pipeline(guardsOf(engine)) }
  const clientOf = (more: Partial<CallContext>) => new LocalClient(engine, { ...caller, ...more }, parts)
  agents.deliverMessages(messengerOf(engine, clientOf))
  return {
    clock,
    approvals,
    client: clientOf({}),
    clientOf,
    pty: (number) => {
      const pty = ptyHost.find(number)
      if (pty === null) throw new Error(`No terminal ${number} was opened.`)
      return pty
    },
  }
}

/** Lets time pass until it is settled: an answer carries a verdict, which takes a moment. */
export async function inTime<Result>({ clock }: Pick<FakeEngine, 'clock'>, call: Promise<Result>): Promise<Result> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  call.then(over, over)
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve))
    if (!isOver) clock.advance(20)
  }
  return call
}

/** Time passes by itself until it is stopped: verdicts take a moment of it. */
export function pass(clock: FakeClock): Stop {
  let isOver = false
  const tick = () => {
    if (isOver) return
    clock.advance(20)
    setImmediate(tick)
  }
  tick()
  return () => {
    isOver = true
  }
}
