/** The host's longer answers as values. */

import { constants } from 'node:os'
import {
  activities,
  type Exit,
  type Facts,
  type KeptSession,
  type WriteResult,
  type Written,
} from '../../contracts/ports.ts'
import { FrameReader } from './frames.ts'

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
)

export function signalName(number: number): string {
  return signalNames.get(number) ?? `signal ${number}`
}

export function readExit(reader: FrameReader): Exit {
  reader.u64()
  const code = reader.i32()
  const signal = reader.i32()
  return signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) }
}

export function readWritten(reader: FrameReader): WriteResult {
  const result = reader.u8()
  const signal = reader.i32()
  const droppedBytes = reader.u64()
  if (result === 1) return { result: 'interrupted', signal: signalName(signal), droppedBytes }
  if (result === 2) return { result: 'dropped', droppedBytes }
  return { result: 'written' }
}

/** What a WRITTEN answer says besides its result. */
export function readWrittenEvent(payload: Buffer): Written {
  const reader = new FrameReader(payload)
  reader.u32()
  reader.u8()
  reader.i32()
  reader.u64()
  return { echoes: reader.u8() === 1, inputWritten: reader.u64() }
}

export function readKeptSession(id: number, reader: FrameReader): KeptSession {
  const pid = reader.u32()
  const start = reader.u64()
  const end = reader.u64()
  const exited = reader.u8() === 1
  reader.i32()
  reader.i32()
  const size = { cols: reader.u16(), rows: reader.u16() }
  const resizes = Array.from({ length: reader.u32() }, () => ({
    offset: reader.u64(),
    cols: reader.u16(),
    rows: reader.u16(),
  }))
  return { id, pid, start, end, exited, ...size, resizes, meta: reader.blob() }
}

const waitKinds = ['none', 'read', 'poll', 'select', 'epoll', 'io_uring'] as const

/** Layout: send_facts in native/ptyhost/src/session_watch.c. */
export function readFacts(reader: FrameReader): Facts {
  const offset = reader.u64()
  const at = reader.u64() / 1e6
  const inputWritten = reader.u64()
  const slices = reader.u64()
  const [foreground, leader, waiter, waiterThread] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()]
  const timeout = reader.i32()
  const readBytes = reader.u32()
  const unread = reader.u32()
  const flags = reader.u8()
  const wait = waitKinds[reader.u8()] ?? 'none'
  const state = String.fromCharCode(reader.u8())
  const otherFds = reader.u8()
  const sockets = reader.u8()
  const activity = activities[reader.u8()] ?? 'other'
  const more = reader.u8()
  const threads = reader.u8()
  const cpuMs = reader.u64() / 1e6
  return {
    offset,
    at,
    inputWritten,
    slices,
    foreground,
    leader,
    waiter,
    waiterThread,
    timeoutMs: timeout < 0 ? null : timeout,
    readBytes,
    unread,
    canonical: (flags & 1) !== 0,
    echo: (flags & 2) !== 0,
    signals: (flags & 4) !== 0,
    readable: (flags & 8) !== 0,
    consumed: (flags & 16) !== 0,
    inputPending: (flags & 32) !== 0,
    outputSinceWrite: (flags & 64) !== 0,
    wait,
    state,
    otherFds,
    sockets,
    activity,
    inner: (more & 1) !== 0,
    ownDescriptor: (more & 2) !== 0,
    worksBeside: (more & 4) !== 0,
    relay: (more & 8) !== 0,
    relayHere: (more & 16) !== 0,
    threads,
    cpuMs,
    name: reader.text(16),
  }
}
