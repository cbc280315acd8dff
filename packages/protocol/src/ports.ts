/** The engine's dependencies: time, and a host that owns PTYs. */

import type { GateAnswer, GateMessage } from './effects/gate.ts'
import type { Millis, Offset, Size } from './units.ts'

/** Ends the work that was started by the call that returned it. */
export type Stop = () => void

export interface Clock {
  /** Monotonic. */
  now(): Millis
  /** Milliseconds since 1970. */
  wall(): number
  /** Calls once, at `at` or a little later. */
  callAt(at: Millis, call: () => void): Stop
}

/** Why a program ended. */
export interface Exit {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly signal: string | null
}

/** Activity of a thread that does not wait on the terminal; `none` when it was not sampled. */
export const activities = [
  'none',
  'runs',
  'sleeps',
  'child',
  'network',
  'pipe',
  'thread',
  'disk',
  'stopped',
  'other',
  'rounds',
] as const
export type Activity = (typeof activities)[number]

/** Kernel facts about one terminal at one moment; see native/ptyhost/src/facts.h for what each means. */
export interface Facts {
  /** Log end when they were read. */
  readonly offset: Offset
  /** Host's monotonic clock. */
  readonly at: Millis
  /** Input bytes that have reached the terminal since it was opened. */
  readonly inputWritten: number
  readonly canonical: boolean
  readonly echo: boolean
  readonly signals: boolean
  readonly readable: boolean
  /** Proof that the program has taken the input of the last write. */
  readonly consumed: boolean
  readonly inputPending: boolean
  readonly outputSinceWrite: boolean
  readonly wait: 'none' | 'read' | 'poll' | 'select' | 'epoll' | 'io_uring'
  /** Activity of the main thread when another thread waits, or of the working thread when none waits. */
  readonly activity: Activity
  /** All of this is about a terminal inside this one, which a program here relays. */
  readonly inner: boolean
  /** It waits on a descriptor of its own, not on its standard input. */
  readonly ownDescriptor: boolean
  /** The program that relays it is in the foreground itself; a multiplexer's server is not. */
  readonly relayHere: boolean
  /** The waiter has the other end of a terminal inside this one. */
  readonly relay: boolean
  /** Its standard output is a pipe: another program takes what it reads. */
  readonly pipesOn: boolean
  /** The reader of that pipe has read all of it, and waits for more. */
  readonly pipeRests: boolean
  /** The relay of the inner terminal is at work: it may still have input for it. */
  readonly passing: boolean
  /** While one thread of it waits, others use the processor. */
  readonly otherThreadsWork: boolean
  /** The process at work hides what it does, and nothing has come out of the terminal since it began. */
  readonly shownNothing: boolean
  readonly state: string
  readonly otherFds: number
  readonly sockets: number
  /** Child processes of a thread that waits for several things, at most 255. */
  readonly children: number
  /** Threads of the waiting process, at most 255. */
  readonly threads: number
  /** CPU time of all threads of the process named. */
  readonly cpuMs: Millis
  readonly foreground: number
  readonly leader: number
  readonly waiter: number
  readonly waiterThread: number
  /** Null: waits without end. */
  readonly timeoutMs: Millis | null
  /** Timeout of the main thread's own poll, when another thread waits; null without one. */
  readonly mainTimeoutMs: Millis | null
  readonly readBytes: number
  readonly unread: number
  readonly slices: number
  /** Equal for waits that were called at the same place in the program, for the same descriptors; 0 when it is not known. */
  readonly callSite: number
  readonly name: string
}

export type WriteResult =
  | { readonly result: 'written' }
  /** The program was not reading: its signal was sent instead of the key, and what was typed ahead was dropped. */
  | { readonly result: 'interrupted'; readonly signal: string; readonly droppedBytes: number }
  | { readonly result: 'dropped'; readonly droppedBytes: number }
  /** The shell refused this line, or did not wait for the rest of it: what stood behind it was not typed. */
  | { readonly result: 'refused'; readonly line: string }

/** The writer of a piece of input, and its number: a piece that is sent again after a broken connection is not typed twice. */
export interface NumberedInput {
  /** Random; below 2^53. */
  readonly writer: number
  /** From 1, growing. */
  readonly number: number
}

/** How a session's program is started. */
export interface Spawn extends Size {
  readonly id: number
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly logBytes: number
  /** The engine's own notes; they outlive it with the session. */
  readonly meta: string
  /** Where its terminal is made; the system's without. */
  readonly ptmx?: string
  /** The table of its gate (native/ptyhost/src/gate.h); without one it has none. */
  readonly gate?: string
}

/** A session that was there before this engine was. */
export interface KeptMoment {
  /** The first byte that came then. */
  readonly offset: Offset
  readonly at: number
}

export interface KeptSession extends Size {
  readonly id: number
  readonly pid: number
  readonly start: Offset
  readonly end: Offset
  readonly exited: boolean
  /** Wall time; null while the program runs, and from a host that does not keep it. */
  readonly exitedAt: number | null
  readonly resizes: readonly ({ readonly offset: Offset } & Size)[]
  /** Wall times at which output came and the size changed, oldest first; empty from a host that does not keep them. */
  readonly moments: readonly KeptMoment[]
  readonly meta: string
}

export interface Written {
  /** The terminal, or a line editor instead of it, may have echoed the input. False for a password. */
  readonly echoes: boolean
  /** Input bytes that have reached the terminal since it was opened; facts with fewer are older. */
  readonly inputWritten: number
}

export interface PtyEvents {
  output(offset: Offset, bytes: Uint8Array): void
  exit(exit: Exit): void
  facts(facts: Facts): void
  gate?(message: GateMessage): void
  /** The terminal has this size from `offset` on; called before any output past it. */
  resized?(offset: Offset, size: Size): void
  /** A piece of input has reached the terminal, or was dropped; called before any output or facts that follow it. */
  written?(written: Written): void
}

export interface Pty {
  attach(from: Offset, events: PtyEvents): void
  /** Output before `offset` has been dealt with; the host reads on accordingly. */
  ack(offset: Offset): void
  /** Long input goes out in pieces of `writePieceBytes`; each is reported by {@link PtyEvents.written}. */
  write(bytes: Uint8Array, numbered?: NumberedInput): Promise<WriteResult>
  /** Drops all input that the program has not read, its half line included; returns how many bytes. */
  dropInput(): Promise<number>
  resize(size: Size): Promise<void>
  signal(signal: number): Promise<void>
  watch(on: boolean): void
  /** Sent to its gate; without one it is dropped. */
  answerGate(message: GateAnswer): void
  note(meta: string): void
  close(options: { readonly graceMs: number; readonly leaveDaemons: boolean }): Promise<{ readonly survivors: number }>
}

export interface SampleCosts {
  readonly samples: number
  readonly cpuMs: Millis
}

/** Cost of deciding whose turn it is. */
export interface TurnCosts extends SampleCosts {
  /** Time of `cpuMs` that judging took. */
  readonly judgingMs: Millis
}

export interface PtyHost {
  readonly pid: number
  /** Errors: `spawn_failed` with the reason. */
  spawn(spawn: Spawn): Promise<{ readonly pid: number; readonly pty: Pty }>
  list(): Promise<readonly KeptSession[]>
  /** Cost of sampling programs so far, over all sessions. */
  costs(): Promise<SampleCosts>
  find(id: number): Pty
  /** Stops every process of the session in which this program runs, or lets them go on; returns how many there are. */
  hold(program: number, how: 'stop' | 'continue'): Promise<number>
  /** Ends all programs and itself; resolves once it has. */
  shutdown(): Promise<void>
  /** Ends the connection; sessions live on. */
  disconnect(): void
}
