/**
 * The wire to ptyhost as one table: each frame with its number and the fields of its payload, in their order.
 *
 * Frames are encoded and decoded from these rows (`frames.ts`). native/ptyhost/src/protocol.h says the same in C;
 * `protocol.test.ts` reads it and fails where a number, a name, a type or an order differs.
 */

/** Types of fields. A list `[item]` is a u32 count and that many items. */
export type Scalar =
  | 'u8'
  | 'u16'
  | 'u32'
  | 'i32'
  /** Offsets, counts and nanoseconds; they stay below 2^53. */
  | 'u64'
  /** A u8 that is 0 or 1. */
  | 'bool'
  /** u32 length + UTF-8. */
  | 'text'
  /** Sixteen bytes of latin1, padded with zeros. */
  | 'name'
  /** The rest of the payload. */
  | 'bytes'

export interface Fields {
  readonly [name: string]: Field
}
export type Field = Scalar | readonly [Scalar | Fields]

export interface FrameRow<F extends Fields = Fields> {
  readonly type: number
  readonly fields: F
  /** Number of the last fields that a peer of an older version does not send: they are 0, and lists are empty. */
  readonly added?: number
}

/** A request with an answer. Both frames have the number that the engine chose, as `request`. */
export interface RequestRow<F extends Fields = Fields, A extends Fields = Fields> extends FrameRow<F> {
  /** The answer on success; else it gets an ERROR. */
  readonly answer: FrameRow<A>
}

export const protocolVersion = 1
/** "APTY" */
export const protocolMagic = 0x59545041
export const frameHeaderBytes = 12

export const answers = {
  hello: {
    type: 64,
    fields: { version: 'u16', pid: 'u32', sessions: 'u32', granted: 'bool', dropsInput: 'bool' },
    added: 1,
  },
  spawned: { type: 65, fields: { request: 'u32', pid: 'u32', errno: 'i32', stage: 'u8' } },
  session: {
    type: 66,
    fields: {
      request: 'u32',
      pid: 'u32',
      start: 'u64',
      end: 'u64',
      exited: 'bool',
      code: 'i32',
      signal: 'i32',
      cols: 'u16',
      rows: 'u16',
      resizes: [{ offset: 'u64', cols: 'u16', rows: 'u16' }],
      meta: 'text',
      moments: [{ offset: 'u64', at: 'u64' }],
      exitedAt: 'u64',
    },
    added: 2,
  },
  listed: { type: 67, fields: { request: 'u32' } },
  attached: { type: 68, fields: { start: 'u64', end: 'u64' } },
  output: { type: 69, fields: { offset: 'u64', output: 'bytes' } },
  exit: { type: 70, fields: { offset: 'u64', code: 'i32', signal: 'i32' } },
  written: {
    type: 71,
    fields: {
      request: 'u32',
      result: 'u8',
      signal: 'i32',
      droppedBytes: 'u64',
      echoes: 'bool',
      inputWritten: 'u64',
    },
  },
  done: { type: 72, fields: { request: 'u32' } },
  facts: {
    type: 73,
    fields: {
      offset: 'u64',
      at: 'u64',
      inputWritten: 'u64',
      slices: 'u64',
      foreground: 'u32',
      leader: 'u32',
      waiter: 'u32',
      waiterThread: 'u32',
      timeoutMs: 'i32',
      readBytes: 'u32',
      unread: 'u32',
      flags: 'u8',
      wait: 'u8',
      state: 'u8',
      otherFds: 'u8',
      sockets: 'u8',
      activity: 'u8',
      innerFlags: 'u8',
      threads: 'u8',
      cpuNs: 'u64',
      name: 'name',
      callSite: 'u64',
      mainTimeoutMs: 'i32',
      children: 'u8',
      shownNothing: 'bool',
    },
    added: 4,
  },
  closed: { type: 74, fields: { request: 'u32', survivors: 'u32' } },
  error: { type: 75, fields: { request: 'u32', errno: 'i32', message: 'text' } },
  resized: { type: 76, fields: { request: 'u32', offset: 'u64', cols: 'u16', rows: 'u16' } },
  stats: { type: 77, fields: { request: 'u32', samples: 'u64', cpuNs: 'u64' } },
  gate: { type: 78, fields: { message: 'bytes' } },
} as const satisfies Readonly<Record<string, FrameRow>>

/** Frames from the engine to ptyhost. A frame without an answer can only fail because its session has just gone, so no caller waits for it. */
export const requests = {
  hello: { type: 1, fields: { magic: 'u32', version: 'u16' } },
  spawn: {
    type: 2,
    fields: {
      request: 'u32',
      cols: 'u16',
      rows: 'u16',
      ringBytes: 'u32',
      meta: 'text',
      cwd: 'text',
      argv: ['text'],
      env: ['text'],
      ptmx: 'text',
      gate: 'text',
    },
    answer: answers.spawned,
  },
  list: { type: 3, fields: { request: 'u32' }, answer: answers.listed },
  attach: { type: 4, fields: { from: 'u64' } },
  ack: { type: 5, fields: { offset: 'u64' } },
  write: { type: 6, fields: { request: 'u32', input: 'bytes' }, answer: answers.written },
  resize: { type: 7, fields: { request: 'u32', cols: 'u16', rows: 'u16' }, answer: answers.resized },
  signal: { type: 8, fields: { request: 'u32', signal: 'i32' }, answer: answers.done },
  close: { type: 9, fields: { request: 'u32', graceMs: 'u16', leaveDaemons: 'bool' }, answer: answers.closed },
  watch: { type: 10, fields: { on: 'bool' } },
  meta: { type: 11, fields: { meta: 'bytes' } },
  shutdown: { type: 12, fields: { request: 'u32' }, answer: answers.done },
  stats: { type: 13, fields: { request: 'u32' }, answer: answers.stats },
  /** Only where `dropsInput` of HELLO says so, as the next one. */
  dropInput: { type: 14, fields: { request: 'u32' }, answer: answers.written },
  writeOnce: {
    type: 15,
    fields: { request: 'u32', writer: 'u64', number: 'u64', input: 'bytes' },
    answer: answers.written,
  },
  gate: { type: 16, fields: { message: 'bytes' } },
} as const satisfies Readonly<Record<string, FrameRow | RequestRow>>

/** Bits of `flags` in FACTS. */
export const factsFlag = {
  canonical: 1 << 0,
  echo: 1 << 1,
  signals: 1 << 2,
  readable: 1 << 3,
  consumed: 1 << 4,
  inputPending: 1 << 5,
  outputSinceWrite: 1 << 6,
  exited: 1 << 7,
} as const

/** Bits of `innerFlags` in FACTS. */
export const factsInnerFlag = {
  inner: 1 << 0,
  ownDescriptor: 1 << 1,
  otherThreadsWork: 1 << 2,
  relay: 1 << 3,
  relayHere: 1 << 4,
  passing: 1 << 5,
  pipesOn: 1 << 6,
  /** 0 from an older host. */
  pipeRests: 1 << 7,
} as const

/** Starts what follows behind a wall; it is in ptyhost's own binary (native/ptyhost/src/wall.h). */
export const wallProgram = 'agentpty-wall'

/** The steps of starting a program, by their number in SPAWNED. */
export const spawnStages = ['ok', 'pty', 'keeper', 'cwd', 'exec', 'wall'] as const

/** The results of a write, by their number in WRITTEN. */
export const writeResults = ['all', 'interrupted', 'dropped'] as const

/** The kinds of call that the waiting thread is in, by their number in FACTS. */
export const waitKinds = ['none', 'read', 'poll', 'select', 'epoll', 'io_uring'] as const
