/** A session whose time and program belong to the test. */

import type { Size, WriteResult } from '@agentpty/protocol'
import { freeLease, type SessionInfo, type Typist } from '@agentpty/protocol/session'
import { FakeClock, FakePty } from '@agentpty/protocol/testing'
import { Session } from '../session.ts'
import type { SessionOptions } from '../session-options.ts'

export interface FakeSession {
  readonly clock: FakeClock
  readonly pty: FakePty
  readonly session: Session
}

const info: SessionInfo = {
  id: 'term-1',
  name: null,
  argv: ['bash'],
  shell: '/bin/bash',
  cwd: '/',
  foldersAbove: [],
  createdBy: 'test',
  mcpClient: null,
  clientEndedAt: null,
  parent: null,
  ancestors: [],
  givenLimits: [],
  isPaused: false,
  endsAt: null,
  lease: freeLease,
  handBack: null,
  wanted: null,
  lineageKey: null,
  scope: null,
  sandbox: null,
  environment: null,
  isFailureSeen: false,
  gate: { state: 'none', reason: '' },
  isRecorded: false,
  createdAt: 0,
  logBytes: 1_000_000,
}

export function openFakeSession(
  options: {
    readonly info?: Partial<SessionInfo>
    readonly history?: SessionOptions['history']
    readonly size?: Size
    /** The capacity of the host's log, when it differs from the session's. */
    readonly hostBytes?: number
  } = {},
): FakeSession {
  const clock = new FakeClock()
  const sessionInfo = { ...info, ...options.info }
  const pty = new FakePty(clock, { logBytes: options.hostBytes ?? sessionInfo.logBytes })
  const session = new Session({
    clock,
    pty,
    pid: 100,
    info: sessionInfo,
    sizes: [{ offset: 0, cols: options.size?.cols ?? 80, rows: options.size?.rows ?? 24 }],
    start: 0,
    history: options.history ?? null,
    version: '1.2.3',
  })
  return { clock, pty, session }
}

/** Types like the handlers of verbs do for an agent. */
export function agentTypes({ keyboard }: Session, bytes: Uint8Array): Promise<WriteResult> {
  return keyboard.write(bytes, testTypist({ keyboard }, false))
}

/** A typist without a call. */
export function testTypist({ keyboard }: Pick<Session, 'keyboard'>, isPerson: boolean): Typist {
  const permit = { context: { client: 'test', cwd: '/', env: {} } } as unknown as Typist['permit']
  return { isPerson, epoch: keyboard.lease.epoch, permit }
}

/** Marks as a shell with integration prints them. */
export const mark = {
  promptStart: '\x1b]133;A\x07',
  promptEnd: '\x1b]133;B\x07',
  start: '\x1b]133;C\x07',
  end: (code: number): string => `\x1b]133;D;${code}\x07`,
} as const
